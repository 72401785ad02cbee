import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { sendRaw, withinMinute } from './client.ts';
import { listedTools } from '../src/mcp/tools.ts';
import { startGateway, type TestGateway } from './gateway.ts';
import { connectClient, message, post, respondWithExamples, toolCall } from './mcp-client.ts';

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startGateway();
});
beforeEach(() => {
  gateway.upstream.reset();
  gateway.upstream.respond = respondWithExamples;
});
afterAll(() => gateway.stop());

const handshake = [
  'initialize',
  'ping',
  'server/discover',
  'notifications/initialized',
  'notifications/cancelled',
];

describe('HTTP', () => {
  test('an Origin header is 403 before the key is read; every other method is 405', async () => {
    const headers = { origin: 'https://example.com' };
    for (const method of ['POST', 'GET', 'OPTIONS']) {
      const { status, body } = await post(gateway, message('tools/list'), { method, headers });
      expect([status, body.error?.code]).toEqual([403, -32_000]);
    }
    const { key } = await gateway.customer();
    for (const method of ['GET', 'HEAD', 'DELETE', 'PUT', 'OPTIONS']) {
      const { status, headers: sent } = await post(gateway, undefined, { method, key });
      expect([status, sent['allow']]).toEqual([405, 'POST']);
    }
  });

  test.each([
    ['a request of a browser', 'POST /mcp', 'Origin: https://example.com', 403],
    ['another method', 'PUT /mcp', 'X-Other: 1', 405],
  ])('%s is the last of its connection while its body may still come', async (_, line, header, status) => {
    const expected = `${header}\r\nExpect: 100-continue\r\nContent-Length: 200`;
    const next = 'GET /v1/key HTTP/1.1\r\nHost: a\r\n\r\n';
    const startedAt = performance.now();
    const raw = await sendRaw(gateway.port, `${line} HTTP/1.1\r\nHost: a\r\n${expected}\r\n\r\n${next}`);
    expect(raw.match(/HTTP\/1\.1 \d+/g)).toEqual([`HTTP/1.1 ${status}`]);
    expect(raw).toMatch(/^connection: close\r$/im);
    // `sendRaw` itself ends after 20 s.
    expect(performance.now() - startedAt).toBeLessThan(15_000);
  });

  test('a refusal of a body that has been read keeps the connection', async () => {
    const { key } = await gateway.customer();
    const body = '[]';
    const head = `POST /mcp HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\nContent-Length: ${body.length}`;
    const next = 'GET /v1/key HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n';
    const raw = await sendRaw(gateway.port, `${head}\r\nAuthorization: Bearer ${key}\r\n\r\n${body}${next}`);
    expect(raw.match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 100', 'HTTP/1.1 400', 'HTTP/1.1 401']);
  });

  test.each([
    ['a tool call', 'POST /mcp'],
    ['a write of the API', 'POST /v1/orgs/5b0a3a34-7f6e-4b53-9a53-3f3f0a6a0d11/properties'],
  ])('%s above the allowance is 429 before its body is read', async (_, line) => {
    const { orgId } = await gateway.customer();
    const { key } = await gateway.createOrgKey(orgId, { per_minute: 1 });
    await withinMinute(10_000);
    await gateway.call({ path: '/v1/key', key });
    const head = `${line} HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${key}`;
    // The body never comes, and no `100 Continue` asks for it.
    const raw = await sendRaw(gateway.port, `${head}\r\nExpect: 100-continue\r\nContent-Length: 200\r\n\r\n`);
    expect(raw.match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 429']);
    expect(raw).toMatch(/^retry-after: \d+\r$/im);
    expect(raw).toContain('"code":"rate_limited"');
  });

  test('401 without a key and with a wrong one, with the envelope of the API', async () => {
    for (const key of [undefined, `bvk_live_${'0'.repeat(43)}`]) {
      const { status, body } = await post(gateway, message('tools/list'), key === undefined ? {} : { key });
      expect([status, body.error?.code]).toEqual([401, 'invalid_api_key']);
    }
  });

  test('a key without API access is refused', async () => {
    const { key } = await gateway.customer({}, { apiAccess: false });
    const { status, body } = await post(gateway, message('tools/list'), { key });
    expect([status, body.error?.code]).toEqual([403, 'tier_not_entitled']);
    for (const method of handshake) {
      const refused = await post(gateway, message(method), { key });
      expect([method, refused.status, refused.body.error?.code]).toEqual([method, 403, 'tier_not_entitled']);
    }
    const called = await post(gateway, toolCall('list_organisations'), { key });
    expect([called.status, textOf(called)]).toEqual([200, expect.stringMatching(/^tier_not_entitled: /)]);
  });

  test('a body above 1 MB, of another charset or of no JSON type is refused, and charged', async () => {
    const { key } = await gateway.customer();
    const large = await post(gateway, toolCall('list_organisations', { pad: 'x'.repeat(1_100_000) }), {
      key,
    });
    expect([large.status, large.body.error?.code]).toEqual([413, 'payload_too_large']);
    const charset = { 'content-type': 'application/json; charset=latin1' };
    const other = await post(gateway, message('tools/list'), { key, headers: charset });
    expect([other.status, other.body.error?.code]).toEqual([400, 'invalid_body']);
    const text = await post(gateway, message('tools/list'), {
      key,
      headers: { 'content-type': 'text/plain' },
    });
    expect(text.status).toBe(415);
    expect(await usedBy(key)).toBe(3);
  });
});

describe('messages', () => {
  test.each([
    ['no JSON', 'nonsense', -32_700],
    ['an empty body', '', -32_700],
    ['a batch', [message('tools/list'), message('ping')], -32_600],
    ['an empty batch', [], -32_600],
    ['null', 'null', -32_600],
    ['a number', '17', -32_600],
    ['another protocol', { id: 1, method: 'tools/list' }, -32_600],
    ['a response', { jsonrpc: '2.0', id: 1, result: {} }, -32_600],
  ])('%s is a JSON-RPC error with status 400, and charged', async (_, body, code) => {
    const { key } = await gateway.customer();
    const response = await post(gateway, body, { key });
    expect([response.status, response.body.error?.code, response.body.id]).toEqual([400, code, null]);
    expect(await usedBy(key)).toBe(1);
  });

  test('an unknown method and a stream of notifications are refused, and charged', async () => {
    const { key } = await gateway.customer();
    const unknown = await post(gateway, message('logging/setLevel', { level: 'debug' }), { key });
    expect(unknown.body.error?.code).toBe(-32_601);
    const listen = await post(gateway, message('subscriptions/listen'), { key });
    expect([listen.status, listen.body.error?.code]).toEqual([404, -32_601]);
    expect(await usedBy(key)).toBe(2);
  });

  test('an unknown tool is an error of the protocol, wrong arguments are one of the tool; each is charged once', async () => {
    const { key } = await gateway.customer();
    const unknown = await post(gateway, toolCall('drop_tables'), { key });
    expect(unknown.body.error).toMatchObject({ code: -32_602, message: 'Unknown tool: drop_tables' });
    const wrong = await post(gateway, toolCall('brand_overview', { org_id: 'acme', brandId: 1 }), { key });
    expect(wrong.body.result).toMatchObject({ isError: true });
    expect(textOf(wrong)).toMatch(
      /^validation_error: [^]*"path":"org_id"[^]*"path":"brandId"[^]*request_id: /,
    );
    const noObject = await post(gateway, toolCall('brand_overview', ['acme']), { key });
    expect(noObject.body.error ?? noObject.body.result?.['isError']).toBeTruthy();
    expect(gateway.upstream.calls).toHaveLength(0);
    expect(await usedBy(key)).toBe(3);
  });

  test.each([
    // server/discover, tools/list.
    ['auto', 2],
    // initialize, notifications/initialized, tools/list.
    ['legacy', 3],
  ] as const)('each message of the handshake and tools/list is one request (%s)', async (mode, sent) => {
    const { key } = await gateway.customer();
    const client = await connectClient(gateway, key, mode);
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toEqual(listedTools.map(({ name }) => name));
    await client.close();
    expect(await usedBy(key)).toBe(sent);
  });

  test.each([...handshake, 'tools/list'])('%s spends the minute and the quota', async (method) => {
    const { orgId } = await gateway.customer();
    const minute = await gateway.createOrgKey(orgId, { per_minute: 8 });
    await withinMinute(10_000);
    const sent = Array.from({ length: 12 }, () => post(gateway, message(method), { key: minute.key }));
    const refused = (await Promise.all(sent)).filter(({ status }) => status === 429);
    expect(refused.map(({ body }) => body.error?.code)).toEqual(Array(4).fill('rate_limited'));
    const month = await gateway.createOrgKey(orgId, { monthly_quota: 1 });
    expect((await post(gateway, message(method), { key: month.key })).status).not.toBe(429);
    const { status, body } = await post(gateway, message(method), { key: month.key });
    expect([status, body.error?.code]).toEqual([429, 'quota_exceeded']);
  });

  test('clients of 2025 and of 2026-07-28 are served', async () => {
    const { key } = await gateway.customer();
    const modern = await connectClient(gateway, key);
    expect(modern.getNegotiatedProtocolVersion()).toBe('2026-07-28');
    const legacy = await connectClient(gateway, key, 'legacy');
    expect(legacy.getNegotiatedProtocolVersion()).toMatch(/^2025-/);
    for (const client of [modern, legacy]) {
      expect(client.getInstructions()).toContain('brand_overview');
      const { structuredContent } = await client.callTool({ name: 'list_organisations', arguments: {} });
      expect(structuredContent).toMatchObject({ has_more: false });
      await client.close();
    }
  });

  test('a client that accepts no streams is served, and told that the list of tools never changes', async () => {
    const { key } = await gateway.customer();
    const clientInfo = { name: 'test', version: '1.0.0' };
    const params = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo };
    for (const accept of [[], '*/*', 'application/json', 'text/plain;q=0.5, APPLICATION/*']) {
      const { status, body } = await post(gateway, message('initialize', params), {
        key,
        headers: { accept },
      });
      const fixed = { listChanged: false };
      expect([status, body.result?.['capabilities']]).toEqual([
        200,
        { tools: fixed, prompts: fixed, resources: fixed },
      ]);
    }
  });

  test('prompts name only tools that exist, and resources are the guides', async () => {
    const { key } = await gateway.customer();
    const client = await connectClient(gateway, key);
    const { prompts } = await client.listPrompts();
    expect(prompts.map(({ name }) => name)).toEqual(['weekly_report', 'why_did_it_change']);
    for (const { name } of prompts) {
      const { messages } = await client.getPrompt({ name, arguments: { brand: 'Acme' } });
      const text = JSON.stringify(messages);
      expect(text).toContain('of Acme');
      const named = text.match(/\b[a-z]+_[a-z_]+\b|\b(?:breakdown|pages)\b/g) ?? [];
      const known = [...listedTools.map((tool) => tool.name), 'no_evidence', 'not_comparable'];
      expect(named.filter((each) => !known.includes(each))).toEqual([]);
    }
    const { resources } = await client.listResources();
    const methodology = { uri: 'brand-visibility://guides/methodology', title: 'Methodology' };
    expect(resources).toContainEqual(expect.objectContaining(methodology));
    const { contents } = await client.readResource(methodology);
    expect(contents).toEqual([expect.objectContaining({ text: expect.stringMatching(/^# Methodology\n/) })]);
    await expect(client.readResource({ uri: 'file:///etc/passwd' })).rejects.toMatchObject({ code: -32_602 });
    await expect(client.getPrompt({ name: 'other' })).rejects.toMatchObject({ code: -32_602 });
    await client.close();
  });

  test('a key that can only read is shown the tools that only read', async () => {
    const { key } = await gateway.customer({ scopes: ['read'] });
    const { body } = await post(gateway, message('tools/list'), { key });
    const tools = (body.result?.['tools'] ?? []) as typeof listedTools;
    const readers = listedTools.filter(({ annotations }) => annotations.readOnlyHint);
    expect(readers.length).toBe(listedTools.length - 3);
    expect(tools.map(({ name }) => name)).toEqual(readers.map(({ name }) => name));
  });

  test('an argument with the name of a property of all objects is refused like every unknown one', async () => {
    const { key } = await gateway.customer();
    const args = JSON.parse('{"max_rows":1,"__proto__":{"max_rows":2},"constructor":1}') as object;
    const refused = await post(gateway, toolCall('list_organisations', args), { key });
    expect(textOf(refused)).toMatch(/^validation_error: [^]*"path":"__proto__"[^]*"path":"constructor"/);
  });

  test('the tools cost a model at most 7,700 tokens', () => {
    // Four characters a token. The tokenizer o200k_base counts 2 % fewer.
    const tokens = Math.ceil(JSON.stringify({ tools: listedTools }).length / 4);
    console.log(`${listedTools.length} tools: ${tokens} tokens`);
    expect(tokens).toBeLessThanOrEqual(7_700);
  });
});

/** Requests charged to the key so far. */
async function usedBy(key: string): Promise<number> {
  const { body } = await gateway.call<{ monthly: { used: number } }>({ path: '/v1/key', key });
  return body.data.monthly.used - 1;
}

const textOf = ({ body }: { body: { result?: Record<string, unknown> } }): string =>
  (body.result?.['content'] as { text: string }[] | undefined)?.[0]?.text ?? '';
