import { operations, type Operation } from '@bv/contract';
import { z } from 'zod';
import { checkInputs, type Input } from '../checkers/inputs.ts';
import {
  createBrand,
  createCustomer,
  createPartner,
  link,
  type ApiResponse,
  type CallOptions,
} from '../harness/client.ts';
import type { Context, Outcome, Scenario } from '../harness/scenario.ts';

type Hostile = { name: string; value: unknown; unstorable?: boolean };

const hostile: Hostile[] = [
  { name: 'a NUL', value: 'a\u0000b', unstorable: true },
  { name: 'a lone high surrogate', value: 'a\ud800', unstorable: true },
  { name: 'a lone low surrogate', value: '\udc00a', unstorable: true },
  { name: 'right to left', value: '\u202egnp.exe' },
  { name: 'combining marks', value: `a${'\u0301'.repeat(90)}` },
  { name: 'letters that grow in upper case', value: 'ΐ'.repeat(90) },
  { name: 'an expression', value: "'; drop table brands; --" },
  { name: 'a placeholder', value: '$1 %s {{7*7}} ${7*7}' },
  { name: 'CR LF', value: 'a\r\nX-Split: yes' },
  { name: 'very long', value: 'x'.repeat(300_000) },
  { name: 'nothing', value: '' },
  { name: 'blanks', value: ' \t\u00a0\u3000' },
  { name: 'null', value: null },
  { name: 'true', value: true },
  { name: 'a large number', value: 1e308 },
  { name: 'minus one', value: -1 },
  { name: 'a fraction', value: 0.1 + 0.2 },
  { name: 'an object', value: { length: 5, toString: 'x', constructor: 'y' } },
  { name: 'a list of lists', value: [[[[]]]] },
  { name: 'a long list', value: Array.from({ length: 20_000 }, () => 'US') },
  { name: 'a prototype', value: JSON.parse('{"__proto__": {"length": 1}}') as unknown },
];

const match = { case_sensitive: true, exclude: ['x'], verify: false };

/** Bodies that contain every field. */
const bodies: Record<string, unknown> = {
  createProperty: {
    name: 'N',
    domain: 'inputs.com',
    external_ref: 'r',
    geography: 'g',
    aliases: ['a'],
    match,
    markets: ['US'],
    competitors: [{ name: 'C', domain: 'c.com', aliases: ['a'], match }],
  },
  linkCompetitor: { name: 'C', domain: 'cc.com', aliases: ['a'], match },
  updateLink: { external_ref: 'r' },
  createPrompt: { text: 't', countries: ['US'], platforms: ['claude'], tags: ['x'], active: true },
  syncPrompts: {
    prompts: [{ text: 't', countries: ['US'], platforms: ['claude'], tags: ['x'], active: true }],
    deactivate_missing: false,
  },
  updateBrand: { name: 'N', aliases: ['a'], match, geography: 'g', external_ref: 'r' },
  reprocessBrand: { from: '2026-01-01', to: '2026-01-02' },
  recoverDeliveries: { since: new Date(Date.now() - 3_600_000).toISOString() },
  updatePrompt: { countries: ['US'], platforms: ['claude'], tags: ['x'], active: true },
  createWebhookEndpoint: { url: 'https://example.com/x', description: 'd' },
  updateWebhookEndpoint: { url: 'https://example.com/x', description: 'd' },
  createSubscription: {
    event_type: 'score.threshold_crossed',
    org_id: null,
    brand_id: null,
    threshold: 5,
    direction: 'up',
    country: 'US',
  },
};

/** Yields a body for each of its fields and items, with the value in that place. */
function* variants(body: unknown, value: unknown, path = ''): Generator<{ path: string; body: unknown }> {
  if (path !== '') yield { path, body: value };
  if (Array.isArray(body)) {
    for (const [index, item] of body.entries()) {
      for (const inner of variants(item, value, `${path}.${index}`)) {
        yield { path: inner.path, body: body.with(index, inner.body) };
      }
    }
  } else if (typeof body === 'object' && body !== null) {
    for (const [name, item] of Object.entries(body)) {
      for (const inner of variants(item, value, `${path}.${name}`)) {
        yield { path: inner.path, body: { ...body, [name]: inner.body } };
      }
    }
  }
}

type Caller = (operation: Operation, query: string, options: CallOptions) => Promise<ApiResponse>;

async function timed(
  call: () => Promise<ApiResponse>,
  rest: Omit<Input, 'status' | 'code' | 'ms'>,
): Promise<Input> {
  const from = performance.now();
  let response = await call().catch(() => undefined);
  // On a busy machine the counter may be late once. A client retries.
  if (response?.body?.error?.code === 'rate_limit_unavailable')
    response = await call().catch(() => undefined);
  return {
    ...rest,
    status: response?.status ?? 0,
    code: response?.body?.error?.code ?? null,
    ms: performance.now() - from,
  };
}

async function attackBodies(call: Caller): Promise<Input[]> {
  const inputs: Input[] = [];
  for (const operation of operations.filter(({ body }) => body !== null)) {
    const body = bodies[operation.id];
    if (body === undefined) throw new Error(`no body for ${operation.id}`);
    for (const { name, value, unstorable = false } of hostile) {
      for (const variant of variants(body, value)) {
        const rest = { name: `${operation.id}${variant.path}: ${name}`, unstorable };
        inputs.push(await timed(() => call(operation, '', { body: variant.body }), rest));
      }
    }
  }
  return inputs;
}

async function attackQueries(call: Caller): Promise<Input[]> {
  const inputs: Input[] = [];
  const strings = hostile.filter((one) => typeof one.value === 'string' && !one.name.startsWith('a lone'));
  for (const operation of operations.filter(({ method }) => method === 'GET')) {
    const { properties = {} } = z.toJSONSchema(operation.query, { io: 'input', unrepresentable: 'any' });
    for (const field of Object.keys(properties)) {
      for (const { name, value, unstorable = false } of strings) {
        const short = String(value).slice(0, 2_000);
        const rest = { name: `${operation.id}?${field}: ${name}`, unstorable };
        inputs.push(await timed(() => call(operation, `?${field}=${encodeURIComponent(short)}`, {}), rest));
      }
      for (const raw of [
        '%00',
        '%ff%fe',
        '%',
        '%u0041',
        '%ed%a0%80',
        '[]=1',
        '[__proto__]=1',
        '&'.repeat(2_000),
      ]) {
        const rest = { name: `${operation.id}?${field}=${raw.slice(0, 12)}`, unstorable: false };
        inputs.push(await timed(() => call(operation, `?${field}=${raw}`, {}), rest));
      }
    }
  }
  return inputs;
}

/** Bodies that are more expensive to parse than to send, and keys with a special meaning in JavaScript. */
function shapes(): { name: string; operation: string; body: string; allowed?: Input['allowed'] }[] {
  const empty = [[400, 'validation_error']] as const;
  const wide = Array.from({ length: 60_000 }, (_, index) => `"k${index}":0`).join(',');
  const rows = Array.from({ length: 1_000 }, (_, index) => ({ text: `w ${index}`, countries: ['XX'] }));
  return [
    { name: 'nested lists', operation: 'updatePrompt', body: '['.repeat(500_000) + ']'.repeat(500_000) },
    {
      name: 'nested objects',
      operation: 'updatePrompt',
      body: '{"a":'.repeat(150_000) + '1' + '}'.repeat(150_000),
    },
    {
      name: 'nested in a field',
      operation: 'updatePrompt',
      body: `{"tags":${'['.repeat(400_000)}${']'.repeat(400_000)}}`,
    },
    { name: '60,000 fields', operation: 'updatePrompt', body: `{${wide}}`, allowed: empty },
    { name: '60,000 fields, strict', operation: 'createWebhookEndpoint', body: `{${wide}}`, allowed: empty },
    {
      name: 'one field 60,000 times',
      operation: 'updatePrompt',
      body: `{${'"tags":["x"],'.repeat(60_000)}"tags":[1]}`,
      allowed: empty,
    },
    { name: 'a thousand refused rows', operation: 'syncPrompts', body: JSON.stringify({ prompts: rows }) },
    {
      name: '__proto__',
      operation: 'updatePrompt',
      body: '{"__proto__": {"active": false}}',
      allowed: empty,
    },
    {
      name: 'constructor',
      operation: 'updatePrompt',
      body: '{"constructor": {"prototype": {"active": false}}}',
      allowed: empty,
    },
    {
      name: '__proto__ in a row',
      operation: 'createPrompt',
      body: '{"__proto__": {"text": "t", "countries": ["US"]}}',
      allowed: empty,
    },
    {
      name: 'a number of 300,000 digits',
      operation: 'createSubscription',
      body: `{"event_type":"score.threshold_crossed","threshold":${'9'.repeat(300_000)}}`,
      allowed: empty,
    },
    {
      name: '1e999999',
      operation: 'createSubscription',
      body: '{"event_type":"score.threshold_crossed","threshold":1e999999}',
      allowed: empty,
    },
    { name: 'a byte order mark', operation: 'updatePrompt', body: '\ufeff{"active":true}' },
  ];
}

/** Sends each shape together with a small request of another key. */
async function attackShapes({ system }: Context, call: Caller, other: string): Promise<Input[]> {
  const inputs: Input[] = [];
  for (const { name, operation: id, body, allowed } of shapes()) {
    const operation = operations.find((candidate) => candidate.id === id);
    if (operation === undefined) throw new Error(`no operation ${id}`);
    const rest = { name: `${id}: ${name}`, unstorable: false, ...(allowed === undefined ? {} : { allowed }) };
    const big = Array.from({ length: 4 }, () => timed(() => call(operation, '', { body }), rest));
    const concurrent = timed(() => system.call('GET', '/orgs', { key: other }), {
      name: `concurrent with ${id}: ${name}`,
      unstorable: false,
      allowed: [[200, null]],
    });
    inputs.push(...(await Promise.all([...big, concurrent])));
  }
  return inputs;
}

async function run(context: Context): Promise<Outcome> {
  const { system, random, report } = context;
  const customer = await createCustomer(system, { tier: 'scale' });
  const partner = await createPartner(system);
  await link(system, partner, customer.orgId, 'read_write');
  const { brandId, promptIds } = await createBrand(system, customer, {
    name: `Inputs ${random.between(1, 999_999)}`,
    texts: ['q'],
  });
  const endpoint = await system.call('POST', '/webhook-endpoints', {
    key: partner.key,
    body: { url: 'http://127.0.0.1:9999/x' },
  });
  const ids: Record<string, string> = {
    orgId: customer.orgId,
    brandId,
    promptId: promptIds[0] ?? '',
    endpointId: endpoint.body.data.id,
  };
  // The partner's key can call every operation.
  const call: Caller = ({ method, path }, query, options) =>
    system.call(method, path.replaceAll(/\{(\w+)\}/g, (_, name: string) => ids[name] ?? brandId) + query, {
      ...options,
      key: partner.key,
    });
  const inBodies = await attackBodies(call);
  report(`${inBodies.length} hostile values in bodies`);
  const inQueries = await attackQueries(call);
  report(`${inQueries.length} in queries`);
  const inShapes = await attackShapes(context, call, customer.key);
  const inputs = [...inBodies, ...inQueries, ...inShapes];
  return {
    violations: checkInputs(inputs),
    summary: `${inBodies.length} values in bodies, ${inQueries.length} in queries, ${shapes().length} shapes`,
  };
}

export const inputs: Scenario = {
  name: 'inputs',
  guarantee: 'no value in any field causes a 5xx, delays others, or is stored as another value',
  run,
};
