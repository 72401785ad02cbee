import { exampleIds, operations } from '@bv/contract';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { withinMinute } from './client.ts';
import { startGateway, type TestGateway } from './gateway.ts';
import { connectClient, examples, post, respondWithExamples, toolCall } from './mcp-client.ts';
import { json } from './upstream.ts';

let gateway: TestGateway;
let orgId: string;
let key: string;
beforeAll(async () => {
  gateway = await startGateway();
});
beforeEach(async () => {
  gateway.upstream.reset();
  gateway.upstream.respond = respondWithExamples;
  ({ orgId, key } = await gateway.customer());
});
afterAll(() => gateway.stop());

const brand = () => ({ org_id: orgId, brand_id: exampleIds.brand });
const experiment = {
  name: 'New product pages',
  starts_on: '2026-12-01',
  treated: Array.from({ length: 5 }, () => exampleIds.prompt),
  control: Array.from({ length: 5 }, () => exampleIds.brand),
};
const prompts = [{ text: 'Which CRM is best?', countries: ['us'], tags: ['crm'] }];

/** Arguments of each tool, and the operations that it calls. */
const calls: [tool: string, args: () => object, operations: string[]][] = [
  ['list_organisations', () => ({}), ['listOrgs']],
  ['list_brands', () => ({ org_id: orgId }), ['listBrandSummaries']],
  ['brand_overview', brand, ['getBrand', 'compareScores', 'listScores', 'listShareOfVoice', 'getPrecision']],
  ['score_history', () => ({ ...brand(), window: '7d', country: 'us' }), ['listScores']],
  ['compare_scores', () => ({ ...brand(), metric: 'sentiment' }), ['compareScores']],
  ['brand_changes', () => ({ org_id: orgId, window_days: 28 }), ['getChanges']],
  ['experiments', brand, ['listExperiments']],
  ['experiments', () => ({ ...brand(), experiment_id: exampleIds.experiment }), ['getExperiment']],
  ['propose_experiment', () => ({ ...brand(), tag: 'crm' }), ['listBreakdown', 'getPrecision']],
  ['share_of_voice', () => ({ ...brand(), platform: 'chatgpt' }), ['listShareOfVoice']],
  ['breakdown', () => ({ ...brand(), by: 'prompt_kind' }), ['listBreakdown']],
  ['pages', brand, ['listPages']],
  ['suggest_competitors', brand, ['listDiscoveredBrands', 'getCoverage']],
  ['sources', () => ({ ...brand(), gap: true }), ['listSources']],
  ['mentions', () => ({ ...brand(), from: '2026-11-01' }), ['listMentions']],
  ['list_prompts', () => ({ ...brand(), active: true }), ['listPrompts']],
  ['prompt_answers', () => ({ org_id: orgId, prompt_id: exampleIds.prompt }), ['listPromptResults']],
  ['methodology', () => ({}), ['getMethodology']],
  ['request_scan', brand, ['requestScan']],
  ['update_prompts', () => ({ ...brand(), prompts }), ['syncPrompts']],
  ['create_experiment', () => ({ ...brand(), ...experiment }), ['createExperiment']],
];

test.each(calls)(
  '%s calls its operations and returns what its output schema says',
  async (tool, args, ids) => {
    const client = await connectClient(gateway, key);
    const { tools } = await client.listTools();
    const listed = tools.find(({ name }) => name === tool);
    // The official client validates structured content by the listed schema.
    const { structuredContent, content, isError } = await client.callTool({
      name: tool,
      arguments: { ...args() },
    });
    await client.close();
    expect(isError).toBeFalsy();
    expect(content).toEqual([{ type: 'text', text: JSON.stringify(structuredContent) }]);
    const called = gateway.upstream.calls.map(({ caller }) => caller.operation);
    expect(called.length === 0 ? ['listOrgs'] : called).toEqual(ids);
    const isWrite = operations.some(({ id, access }) => ids.includes(id) && access === 'write');
    expect(listed?.annotations?.readOnlyHint).toBe(!isWrite);
    // server/discover, tools/list and each operation.
    expect(await usedBy()).toBe(2 + ids.length);
  },
);

test('a proposed experiment has active prompts only, and the untreated ones with the nearest rates as its control', async () => {
  const row = (id: number, tag: string, mention_rate: number | null, active = true) => ({
    key: `${id}`,
    label: `Prompt ${id}`,
    mention_rate,
    prompt: { id: `${id}`, text: `Prompt ${id}`, tags: [tag], active },
  });
  const treated = [40, 42, 44, 46, 48].map((rate, index) => row(index, 'crm', rate));
  const others = [90, 45, 41, 47, 43, null, 5, 44].map((rate, index) => row(10 + index, 'erp', rate));
  const data = [...treated, ...others, row(20, 'erp', 44, false), row(21, 'crm', 90, false)];
  gateway.upstream.respond = ({ url }, response) =>
    url.includes('/precision')
      ? json(response, 200, { data: { prompts: 10, change: { smallest_detectable_28d: 5 } } })
      : json(response, 200, { data, pagination: { next_cursor: null, has_more: false } });
  const propose = () => call('propose_experiment', { ...brand(), tag: 'crm' });
  const { summary, control } = await propose();
  expect((control as { id: string }[]).map(({ id }) => id)).toEqual(['17', '11', '14', '12', '13']);
  // 5 × √(10 / 5 + 10 / 5) = 10.
  expect(summary).toBe(
    '5 treated and 5 control prompts with mention rates of 44.0 and 44.0 percent. Windows of 28 days usually find an effect of about 10.0 points.',
  );
  for (const each of treated) each.mention_rate = 80;
  expect((await propose())['summary']).toContain('53.8 percent. These are more than 15 points apart');
});

test('figures come with units, interval, verdict, number of answers and known limits', async () => {
  const { summary, score, latest_week, units, known_limits } = await call('brand_overview', brand());
  expect(score).toMatchObject({ verdict: expect.any(String), difference: expect.any(Object) });
  expect(summary).toMatch(/95 % interval .* to .*Verdict \w+\./);
  expect(summary).toMatch(/\d+ answers/);
  expect(latest_week).toMatchObject({ mention_rate_low: expect.any(Number) });
  expect(units).toHaveProperty('score');
  expect(known_limits).not.toHaveLength(0);
});

test('pages are read inside the tool up to its bound, also if they end early', async () => {
  gateway.upstream.respond = ({ url }, response) => {
    const { searchParams } = new URL(url, 'http://a');
    const start = Number(searchParams.get('cursor') ?? 0);
    const [row] = (examples['listMentions']?.data ?? []) as object[];
    const data = Array.from({ length: Math.min(Number(searchParams.get('limit')), 100) }, () => row);
    const next_cursor = String(start + data.length);
    json(response, 200, { data, pagination: { next_cursor, has_more: true } });
  };
  const { mentions, has_more } = await call('mentions', { ...brand(), max_rows: 150 });
  expect([(mentions as unknown[]).length, has_more]).toEqual([150, true]);
  const limits = gateway.upstream.calls.map(({ url }) => new URL(url, 'http://a').searchParams.get('limit'));
  expect(limits).toEqual(['150', '50']);
  expect(await usedBy()).toBe(2);
  expect(await callFailing('mentions', { ...brand(), max_rows: 1_001 })).toMatch(/^validation_error: /);
});

test('a result ends below 20,000 tokens, reads no further pages and names the next step', async () => {
  gateway.upstream.respond = (_, response) => {
    const [row] = (examples['listPromptResults']?.data ?? []) as object[];
    const data = Array.from({ length: 25 }, () => ({ ...row, answer_text: '会'.repeat(5_000) }));
    json(response, 200, { data, pagination: { next_cursor: 'next', has_more: true } });
  };
  const result = await call('prompt_answers', { org_id: orgId, prompt_id: exampleIds.prompt, max_rows: 50 });
  expect(result).toMatchObject({ has_more: true, next_step: expect.stringContaining('fewer days') });
  const bytes = Buffer.byteLength(JSON.stringify(result));
  expect(bytes).toBeGreaterThan(20_000);
  expect(bytes).toBeLessThan(40_000);
  expect(await usedBy()).toBe(1);
});

test('a result that is cut says that there are more rows', async () => {
  const rows = Array.from({ length: 500 }, (_, index) => ({
    key: `${index}`,
    label: 'What is best? '.repeat(30),
    mention_rate: 40,
    prompt: { tags: [index < 250 ? 'crm' : 'erp'], active: true },
  }));
  const { rows: shown = [], ...changes } = (examples['getChanges']?.data ?? {}) as { rows?: object[] };
  gateway.upstream.respond = ({ url }, response) => {
    const data = url.includes('/changes')
      ? { ...changes, rows: rows.map(() => shown[0]) }
      : url.includes('/precision')
        ? { prompts: 500, change: { smallest_detectable_28d: 5 } }
        : rows;
    json(response, 200, { data, pagination: { next_cursor: null, has_more: false } });
  };
  const design = await call('propose_experiment', { ...brand(), tag: 'crm' });
  expect(design['has_more']).toBe(true);
  expect(Buffer.byteLength(JSON.stringify(design))).toBeLessThan(40_000);
  expect(design['summary']).toContain(`${(design['treated'] as unknown[]).length} treated`);
  expect(await call('brand_changes', { org_id: orgId, max_rows: 500 })).toMatchObject({ has_more: true });
});

test('breakdown ranks by the lead of the strongest rival, over all pages', async () => {
  const [example] = (examples['listBreakdown']?.data ?? []) as object[];
  const slice = (label: string, own: number | null, rivals: (number | null)[]) => ({
    ...example,
    key: label,
    label,
    mention_rate: own,
    competitors: rivals.map((mention_rate, index) => ({ name: `rival ${index}`, mention_rate })),
  });
  gateway.upstream.respond = ({ url }, response) => {
    const isFirst = !url.includes('cursor=');
    const data = isFirst
      ? [slice('wins', 80.5, [60.2, null]), slice('none', null, [null])]
      : [slice('loses', 10.1, [30.3, 50.4]), slice('ties', 0, [0])];
    json(response, 200, { data, pagination: { next_cursor: isFirst ? 'b' : null, has_more: isFirst } });
  };
  const { rows, has_more } = await call('breakdown', { ...brand(), max_rows: 3 });
  expect(has_more).toBe(true);
  expect(rows).toMatchObject([
    { label: 'loses', rival: { name: 'rival 1', mention_rate: 50.4 }, lead: 40.3 },
    { label: 'ties', lead: 0 },
    { label: 'wins', lead: -20.3 },
  ]);
});

describe('refusals', () => {
  test('of an operation are tool errors that begin with the code of the API', async () => {
    expect(await callFailing('list_brands', { org_id: exampleIds.organisation })).toMatch(/^not_found: /);
    gateway.upstream.respond = (_, response) => {
      const details = [{ path: 'brandId', code: 'own_brand_only', message: 'No own brand' }];
      const error = { code: 'validation_error', message: 'The request is not valid', details };
      json(response, 400, { error, request_id: exampleIds.key });
    };
    expect(await callFailing('sources', brand())).toMatch(/^validation_error: [^]*own_brand_only/);
    await gateway.upstream.close();
    expect(await callFailing('sources', brand())).toMatch(/^api_unavailable: [^]*retry after 5 s/);
    await gateway.upstream.reopen();
  });

  test('a read-only key and a read-only link cannot write', async () => {
    const reader = await gateway.createOrgKey(orgId, { scopes: ['read'] });
    expect(await callFailing('request_scan', brand(), reader.key)).toMatch(/^write_scope_required: /);
    const partner = await gateway.reseller({}, 'read_only');
    const args = { org_id: partner.orgId, brand_id: exampleIds.brand };
    expect(await callFailing('request_scan', args, partner.key)).toMatch(/^link_scope_insufficient: /);
    expect(await call('sources', args, partner.key)).toHaveProperty('sources');
  });

  test('a key that is revoked in the middle of a tool is 401', async () => {
    const other = await gateway.createOrgKey(orgId);
    gateway.upstream.respond = async (upstreamCall, response) => {
      await gateway.operator('DELETE', `/keys/${other.id}`);
      await respondWithExamples(upstreamCall, response);
    };
    const { status, body } = await post(gateway, toolCall('brand_overview', brand()), { key: other.key });
    expect([status, body.error?.code]).toEqual([401, 'invalid_api_key']);
  });
});

test('an idempotency key makes a write run once', async () => {
  const args = { ...brand(), prompts, idempotency_key: 'weekly-1' };
  const first = await call('update_prompts', args);
  expect(await call('update_prompts', args)).toEqual(first);
  expect(gateway.upstream.calls).toHaveLength(1);
  const [sent] = gateway.upstream.calls;
  expect(JSON.parse(sent?.body ?? '')).toEqual({
    prompts: [{ text: 'Which CRM is best?', countries: ['US'], tags: ['crm'] }],
    deactivate_missing: false,
  });
  expect(await callFailing('update_prompts', { ...args, deactivate_missing: true })).toMatch(
    /^idempotency_key_reuse: /,
  );
});

describe('429', () => {
  test('MCP and REST share the minute exactly: 40 requests are admitted, whatever their kind', async () => {
    const limited = await gateway.createOrgKey(orgId, { per_minute: 40 });
    await withinMinute(20_000);
    const requests = Array.from({ length: 90 }, (_, index) =>
      index % 3 === 0
        ? gateway.call({ path: '/v1/orgs', key: limited.key })
        : post(gateway, toolCall('list_brands', { org_id: orgId }), { key: limited.key }),
    );
    const responses = await Promise.all(requests);
    const admitted = responses.filter(({ status }) => status === 200);
    const refused = responses.filter(({ status }) => status === 429);
    expect([admitted.length, refused.length]).toEqual([40, 50]);
    const remaining = admitted.map(({ headers }) => Number(headers['x-ratelimit-remaining']));
    expect(remaining.toSorted((x, y) => x - y)).toEqual(Array.from({ length: 40 }, (_, index) => index));
    for (const { headers, body } of refused) {
      expect(body.error?.code).toBe('rate_limited');
      expect(headers['retry-after']).toMatch(/^\d+$/);
    }
  });

  test('the quota of the month ends in the middle of a tool', async () => {
    const limited = await gateway.createOrgKey(orgId, { monthly_quota: 6 });
    const overview = () => post(gateway, toolCall('brand_overview', brand()), { key: limited.key });
    expect((await overview()).body.result?.['isError']).toBeFalsy();
    const second = await overview();
    expect([second.status, second.body.error?.code]).toEqual([429, 'quota_exceeded']);
    const rest = await gateway.call({ path: '/v1/orgs', key: limited.key });
    expect(rest.body.error.code).toBe('quota_exceeded');
    expect(gateway.upstream.calls).toHaveLength(6);
  });
});

async function send(tool: string, args: object, withKey = key) {
  const { status, body } = await post(gateway, toolCall(tool, args), { key: withKey });
  expect(status).toBe(200);
  return body.result as {
    isError?: boolean;
    content: { text: string }[];
    structuredContent?: Record<string, unknown>;
  };
}

async function call(tool: string, args: object, withKey = key): Promise<Record<string, unknown>> {
  const { isError, structuredContent, content } = await send(tool, args, withKey);
  if (isError || structuredContent === undefined) throw new Error(content[0]?.text);
  return structuredContent;
}

async function callFailing(tool: string, args: object, withKey = key): Promise<string> {
  const { isError, content } = await send(tool, args, withKey);
  expect(isError).toBe(true);
  return content[0]?.text ?? '';
}

async function usedBy(): Promise<number> {
  const { body } = await gateway.call<{ monthly: { used: number } }>({ path: '/v1/key', key });
  return body.data.monthly.used - 1;
}
