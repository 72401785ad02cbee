import { createHmac, randomUUID } from 'node:crypto';
import { operations } from '@bv/contract';
import { callerHeader, signCaller, type Caller } from '@bv/http';
import { checkRefusals, type Refusal } from '../checkers/refusals.ts';
import { request, type ApiResponse } from '../harness/client.ts';
import type { Random } from '../harness/random.ts';
import type { Context, Outcome, Scenario } from '../harness/scenario.ts';
import type { System } from '../harness/system.ts';
import { createFixture, type Tenant, type Fixture } from '../harness/fixture.ts';

const fillPath = (path: string, ids: Record<string, string>): string =>
  path.replaceAll(/\{(\w+)\}/g, (_, name: string) => ids[name] ?? '');

const refusal = (name: string, response: ApiResponse, allowed: Refusal['allowed']): Refusal => ({
  name,
  status: response.status,
  code: response.body?.error?.code ?? null,
  hasDetails: response.body?.error?.details !== undefined,
  allowed,
});

function createCaller({ customer, ids }: Tenant): Caller {
  return {
    requestId: randomUUID(),
    keyId: customer.keyId,
    keyPrefix: customer.key.slice(0, 12),
    owner: { kind: 'organisation', id: ids['orgId'] ?? '' },
    orgId: ids['orgId'] ?? '',
    link: { scope: 'owner', externalRef: null },
    scopes: ['read', 'write'],
    operation: 'listPrompts',
    operationId: null,
    expiresAt: Date.now() + 60_000,
  };
}

/** Caller headers that an attacker inside the network, or with an old header from a log, could send. */
function forgedCallers(tenant: Tenant, secret: string, random: Random): [string, string][] {
  const caller = createCaller(tenant);
  const good = signCaller(caller, secret);
  const [payload = '', signature = ''] = good.split('.');
  const otherPayload = signCaller({ ...caller, orgId: randomUUID() }, 'x').split('.')[0] ?? '';
  const flipped = Array.from({ length: 40 }, () => flip(good, random.between(0, good.length - 2)));
  const unsigned = createHmac('sha256', '').update(payload).digest('base64url');
  return [
    ['none', ''],
    ['words', 'admin'],
    ['plain JSON', JSON.stringify(caller)],
    ['no signature', payload],
    ['an empty signature', `${payload}.`],
    ['the signature of an empty secret', `${payload}.${unsigned}`],
    ['another secret', signCaller(caller, 'guessed')],
    ["another's payload", `${otherPayload}.${signature}`],
    ['expired', signCaller({ ...caller, expiresAt: Date.now() - 1 }, secret)],
    ['three parts', `${good}.${signature}`],
    ['a shorter signature', good.slice(0, -6)],
    ...flipped.map((header, index): [string, string] => [`flipped ${index}`, header]),
  ];
}

/** Replaces one character, which changes significant bits. */
function flip(text: string, at: number): string {
  const letter = text[at] === 'A' ? 'Q' : 'A';
  return text.slice(0, at) + letter + text.slice(at + 1);
}

async function attackServices({ system, random }: Context, { victim }: Fixture): Promise<Refusal[]> {
  const { secrets } = system.stack;
  const refusals: Refusal[] = [];
  for (const [service, origin] of serviceOrigins(system)) {
    const operation = operations.find(
      (candidate) => candidate.service === service && candidate.method === 'GET',
    );
    if (operation === undefined) continue;
    const url = `${origin}/v1${fillPath(operation.path, victim.ids)}`;
    for (const [name, header] of forgedCallers(victim, secrets.callerSecret, random)) {
      const response = await request(url, 'GET', {
        headers: header === '' ? {} : { [callerHeader]: header },
      });
      refusals.push(refusal(`${service}: caller header, ${name}`, response, [[401, 'invalid_caller']]));
    }
    const customer = { [callerHeader]: signCaller(createCaller(victim), secrets.callerSecret) };
    const orgsResponse = await request(`${origin}/operator/v1/orgs`, 'GET', { headers: customer });
    refusals.push(
      refusal(`${service}: a customer on the operator API`, orgsResponse, [
        [401, 'invalid_caller'],
        [404, 'not_found'],
      ]),
    );
  }
  return refusals;
}

function serviceOrigins({ stack }: System): [string, string][] {
  const { catalog, results, scans, webhooks } = stack.ports;
  return Object.entries({ catalog, results, scans, webhooks }).map(([name, { port }]) => [
    name,
    `http://127.0.0.1:${port}`,
  ]);
}

/** Sends a valid caller header to the edge, where only the key in Authorization identifies the caller. */
async function attackEdge({ system }: Context, { victim, attacker }: Fixture): Promise<Refusal[]> {
  const header = { [callerHeader]: signCaller(createCaller(victim), system.stack.secrets.callerSecret) };
  const path = fillPath('/orgs/{orgId}/prompts', victim.ids);
  const others = {
    'x-original-url': path,
    'x-rewrite-url': path,
    'x-http-method-override': 'DELETE',
    'x-forwarded-host': 'internal',
    forwarded: 'for=127.0.0.1',
  };
  const bare = await system.call('GET', path, { headers: header });
  const own = await system.call('GET', path, {
    key: attacker.customer.key,
    headers: { ...header, ...others },
  });
  const operator = await system.call('GET', '/orgs', { key: system.stack.secrets.operatorToken });
  const operatorResponse = await request(`${system.stack.operatorUrl}/orgs`, 'GET', {
    key: victim.customer.key,
    headers: header,
  });
  return [
    refusal('edge: a caller header instead of a key', bare, [[401, 'invalid_api_key']]),
    refusal("edge: the victim's caller header with an own key", own, [[404, 'not_found']]),
    refusal("edge: the operator's token as a key", operator, [[401, 'invalid_api_key']]),
    refusal('operator API: a key and a caller header', operatorResponse, [[401, 'invalid_operator_token']]),
  ];
}

type List = { id: string; path: string; key: string };

/** What a first page requires. */
const required: Record<string, string> = { listBreakdown: '&by=prompt' };

function lists({ ids, customer, partner }: Tenant): List[] {
  return operations
    .filter(({ success }) => success.kind === 'list')
    .map(({ id, path, partnerOnly }) => ({
      id,
      path: fillPath(path, ids),
      key: partnerOnly ? partner.key : customer.key,
    }));
}

async function attackCursors({ system, random }: Context, { victim }: Fixture): Promise<Refusal[]> {
  const refusals: Refusal[] = [];
  const invalid = [[400, 'invalid_cursor']] as const;
  const issued: (List & { cursor: string })[] = [];
  for (const list of lists(victim)) {
    const { body } = await system.call('GET', `${list.path}?limit=1${required[list.id] ?? ''}`, list);
    if (body.pagination.next_cursor !== null) issued.push({ ...list, cursor: body.pagination.next_cursor });
  }
  const requestPage = async (
    list: List,
    name: string,
    cursor: string,
    allowed: Refusal['allowed'],
  ): Promise<void> => {
    const response = await system.call(
      'GET',
      `${list.path}?limit=1&cursor=${encodeURIComponent(cursor)}`,
      list,
    );
    refusals.push(refusal(`${list.id}: cursor, ${name}`, response, allowed));
  };
  for (const list of issued) {
    const { cursor } = list;
    for (let at = 0; at < cursor.length - 1; at += random.between(1, 6)) {
      await requestPage(list, `flipped at ${at}`, flip(cursor, at), invalid);
    }
    await requestPage(list, 'shorter', cursor.slice(0, -4), invalid);
    await requestPage(list, 'longer', `${cursor}AAAA`, invalid);
    await requestPage(list, 'twice', cursor + cursor, invalid);
    await requestPage(list, 'with a NUL', `${cursor}\0`, [...invalid, [400, 'validation_error']]);
    for (const other of issued)
      if (other.id !== list.id) await requestPage(list, `of ${other.id}`, other.cursor, invalid);
  }
  for (const list of lists(victim)) {
    for (const nonsense of [
      'x',
      '0',
      'null',
      '../..',
      'A'.repeat(2_048),
      Buffer.alloc(96).toString('base64url'),
    ]) {
      await requestPage(list, nonsense.slice(0, 8), nonsense, invalid);
    }
  }
  return refusals;
}

async function run(context: Context): Promise<Outcome> {
  const fixture = await createFixture(context.system, `fg${context.random.between(1, 999_999)}`);
  await fixture.receiver.close();
  const edge = await attackEdge(context, fixture);
  const services = await attackServices(context, fixture);
  context.report(`${edge.length + services.length} forged callers`);
  const cursors = await attackCursors(context, fixture);
  const violations = [
    ...checkRefusals([...edge, ...services].map((one) => ({ ...one, hasDetails: false }))),
    ...checkRefusals(
      cursors.map((one) => ({
        ...one,
        hasDetails: one.code === 'invalid_cursor' && one.hasDetails === true,
      })),
    ),
  ];
  return {
    violations,
    summary: `${edge.length + services.length} forged callers, ${cursors.length} forged cursors`,
  };
}

export const forged: Scenario = {
  name: 'forged',
  guarantee: 'caller headers and cursors that the system did not issue are rejected',
  run,
};
