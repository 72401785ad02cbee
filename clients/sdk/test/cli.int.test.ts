import { afterEach, describe, expect, test } from '@jest/globals';
import { eventually } from '@bv/testkit';
import {
  disconnect,
  type FaultServer,
  hang,
  page,
  refuse,
  respond,
  startFaultServer,
} from './fault-server.ts';
import { type CliOptions, killAll, runCli, startCli } from './run-cli.ts';

const scan = (status: string, units: object = {}) =>
  respond(200, {
    data: { job_id: 'j1', status, units: { total: 5, answered: 4, no_answer: 1, failed: 0, ...units } },
  });
const at = ['--org', 'o1', '--brand', 'b1'];
const missing = '/none/mentions.csv';

let server: FaultServer;
afterEach(async () => {
  killAll();
  await server.close();
});

const run = (args: string[], options: CliOptions = {}) =>
  runCli(args, { baseUrl: server.baseUrl, ...options });

describe('wrong arguments and settings: exit 2, and nothing is sent', () => {
  test.each([
    ['an unknown dataset', ['export', 'prompts', ...at, '--out', missing], 'no dataset prompts: mentions'],
    ['no file', ['export', 'mentions', ...at], '--out <file>'],
    ['no brand', ['export', 'mentions', '--out', missing], '--brand <id>'],
    [
      'an unknown format',
      ['export', 'mentions', ...at, '--out', missing, '--format', 'xlsx'],
      'csv, ndjson, parquet',
    ],
    [
      'a name of no format',
      ['export', 'mentions', ...at, '--out', '/none/m.xlsx'],
      'end it with .csv, .ndjson or .parquet',
    ],
    [
      'a filter that scores do not have',
      ['export', 'scores', ...at, '--out', missing, '--platform', 'chatgpt'],
      '--platform has no effect on scores',
    ],
    [
      'a filter that mentions do not have',
      ['export', 'mentions', ...at, '--out', missing, '--gap'],
      '--gap has no effect on mentions',
    ],
    ['--force to a pipe', ['export', 'mentions', ...at, '--out', '-', '--force'], 'need a file'],
    [
      '--resume of Parquet',
      ['export', 'mentions', ...at, '--out', '/none/m.parquet', '--resume'],
      'cannot be continued',
    ],
    [
      'a day of no calendar',
      ['export', 'mentions', ...at, '--out', missing, '--from', '2026-13-01'],
      'like 2026-11-25',
    ],
    [
      '--resume and --force',
      ['export', 'mentions', ...at, '--out', missing, '--resume', '--force'],
      'cannot be used',
    ],
    [
      '--resume without a state',
      ['export', 'mentions', ...at, '--out', missing, '--resume'],
      'no unfinished export',
    ],
    ['an id that is a path', ['scan', '--org', '..', '--brand', 'b'], 'orgId must be'],
    ['an unknown command', ['exports'], "unknown command 'exports'"],
    ['listen without an endpoint', ['listen', '--forward', 'http://localhost:1'], '--endpoint <id>'],
    [
      'listen to no address',
      ['listen', '--endpoint', 'w1', '--forward', 'localhost:3000'],
      'is written like',
    ],
    [
      'listen with a secret that is none',
      ['listen', '--endpoint', 'w1', '--forward', 'http://localhost:1', '--secret', 'é'],
      'whsec_ followed by base64',
    ],
    ['a wait of no length', ['scan', ...at, '--wait', '--timeout', '0'], 'between 1 and 1440'],
  ])('%s', async (_what, args, message) => {
    server = await startFaultServer([]);
    const { code, err } = await run(args);
    expect([code, err]).toEqual([2, expect.stringContaining(message)]);
    expect(server.requests).toEqual([]);
  });

  test('no key, an address that is none', async () => {
    server = await startFaultServer([]);
    expect(await run(['scan', ...at], { apiKey: '' })).toMatchObject({
      code: 2,
      err: expect.stringContaining('set the environment variable BV_API_KEY'),
    });
    expect(await run(['scan', ...at], { baseUrl: 'api.example.com' })).toMatchObject({
      code: 2,
      err: expect.stringContaining('baseUrl must be'),
    });
  });

  test.each([['mcp'], ['key']])('%s: a key with a line break is refused and not shown', async (command) => {
    server = await startFaultServer([]);
    const { code, out, err } = await run([command], { apiKey: 'bvk_live_first\nsecond' });
    expect([code, out, err]).toEqual([2, '', expect.stringContaining('BV_API_KEY has invalid characters')]);
    expect(err).not.toContain('bvk_live');
  });
});

describe('a service that refuses or is not there: exit 1', () => {
  test('a wrong key, a base URL without /v1, a page of HTML, no such folder', async () => {
    server = await startFaultServer([
      refuse(401, 'invalid_api_key'),
      refuse(404, 'not_found'),
      (response) => response.writeHead(200, { 'content-type': 'text/html' }).end('<html>'),
    ]);
    const wrongKey = await run(['scan', ...at], { apiKey: 'bvk_live_wrong' });
    expect([wrongKey.code, wrongKey.err]).toEqual([1, expect.stringContaining('refused the key')]);
    expect(wrongKey.err).not.toContain('bvk_');
    const noVersion = await run(['scan', ...at], { baseUrl: new URL(server.baseUrl).origin });
    expect([noVersion.code, noVersion.err]).toEqual([1, expect.stringContaining('/v1')]);
    const html = await run(['scan', ...at]);
    expect([html.code, html.err]).toEqual([1, expect.stringContaining('check the base URL')]);
    const folder = await run(['export', 'mentions', ...at, '--out', missing]);
    expect([folder.code, folder.err]).toEqual([1, expect.stringContaining('ENOENT')]);
  });

  test('no server', async () => {
    server = await startFaultServer([]);
    await server.close();
    const { code, err } = await run(['scan', ...at]);
    expect([code, err]).toEqual([1, expect.stringContaining('is BV_BASE_URL right?')]);
    server = await startFaultServer([]);
  });
});

test('the organisation of the key is the default; several need --org', async () => {
  const orgs = (...ids: string[]) =>
    page(
      ids.map((id) => ({ id })),
      null,
    );
  server = await startFaultServer([orgs('o7'), scan('queued'), orgs('o7', 'o8')]);
  expect((await run(['scan', '--brand', 'b1'])).out).toBe('scan j1\n');
  expect(server.requests[1]?.url.pathname).toBe('/v1/orgs/o7/brands/b1/scan-requests');
  const several = await run(['scan', '--brand', 'b1']);
  expect([several.code, several.err]).toEqual([2, expect.stringContaining('pass --org <id>')]);
});

test('scan --wait waits for the end; a queued scan is joined; a failed one is exit 1', async () => {
  server = await startFaultServer([
    refuse(409, 'scan_already_queued', {}, { job_id: 'j1' }),
    scan('running'),
    scan('partial'),
    scan('queued'),
    scan('failed', { answered: 0, no_answer: 0, failed: 5 }),
  ]);
  const joined = await run(['scan', ...at, '--wait']);
  expect(joined).toMatchObject({
    code: 0,
    out: 'scan j1\npartial: 4 answers, 1 without an answer and 0 failed of 5\n',
  });
  const failed = await run(['scan', ...at, '--wait']);
  expect([failed.code, failed.err]).toEqual([1, 'error: the scan is failed\n']);
});

test('key shows what the key may do', async () => {
  const monthly = { quota: null, used: 7, resets_at: '2026-12-01T00:00:00.000000Z' };
  const limits = { expires_at: null, org_id: 'o1', partner_id: null, per_minute: 60, monthly };
  const key = { key_prefix: 'bvk_live_abc', kind: 'organisation', name: 'CI', scopes: ['read'], ...limits };
  server = await startFaultServer([respond(200, { data: key })]);
  const { code, out } = await run(['key']);
  expect([code, server.requests[0]?.url.pathname]).toEqual([0, '/v1/key']);
  const lines = out
    .trimEnd()
    .split('\n')
    .map((line) => line.split(/ {2,}|(?<=month) /));
  expect(Object.fromEntries(lines)).toEqual({
    key: 'bvk_live_abc... (organisation)',
    name: 'CI',
    scopes: 'read',
    expires: 'never',
    organisation: 'o1',
    'requests per minute': '60',
    'requests this month': '7 of unlimited, resets 2026-12-01T00:00:00.000000Z',
  });
});

describe('mcp', () => {
  const meta = { 'io.modelcontextprotocol/protocolVersion': '2026-07-28' };
  const request = (id: number, method: string, params: object = {}) => ({
    jsonrpc: '2.0',
    id,
    method,
    params,
  });
  const reply = (id: number, result: object) => ({ jsonrpc: '2.0', id, result });

  /** Sends one message after the other and returns all replies. */
  async function converse(messages: (object | string)[]) {
    const { child, output, ended } = startCli(['mcp'], { baseUrl: server.baseUrl });
    for (const [at, message] of messages.entries()) {
      child.stdin.write(`${typeof message === 'string' ? message : JSON.stringify(message)}\n`);
      if (typeof message === 'object') await eventually(() => expect(server.requests).toHaveLength(at + 1));
      await eventually(() => expect(output.out.split('\n')).toHaveLength(at + 2));
    }
    child.stdin.end();
    return {
      code: await ended,
      replies: output.out
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line) as object),
    };
  }

  test('forwards messages with the key and the headers of the protocol', async () => {
    const initialized = reply(1, { protocolVersion: '2025-11-25' });
    const stream = (response: Parameters<typeof hang>[0]) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.end(`event: message\ndata: ${JSON.stringify(reply(2, { tools: [] }))}\n\n`);
    };
    server = await startFaultServer([respond(200, initialized), stream, respond(200, reply(3, {}))]);
    const call = request(3, 'tools/call', { name: 'list_brands', _meta: meta });
    const { code, replies } = await converse([request(1, 'initialize'), request(2, 'tools/list'), call]);
    expect([code, replies]).toEqual([0, [initialized, reply(2, { tools: [] }), reply(3, {})]]);
    const sent = server.requests.map(({ url, headers }) => [
      url.pathname,
      headers.authorization,
      headers['mcp-protocol-version'],
      headers['mcp-method'],
      headers['mcp-name'],
    ]);
    const key = 'Bearer bvk_live_cli';
    expect(sent).toEqual([
      ['/mcp', key, undefined, undefined, undefined],
      ['/mcp', key, '2025-11-25', undefined, undefined],
      ['/mcp', key, '2026-07-28', 'tools/call', 'list_brands'],
    ]);
    expect(JSON.parse(server.requests[2]?.body ?? '')).toEqual(call);
  });

  test('a refusal, a lost connection and HTML are errors of the request', async () => {
    server = await startFaultServer([
      refuse(401, 'invalid_api_key'),
      disconnect,
      (response) => response.writeHead(502, { 'content-type': 'text/html' }).end('<html>'),
    ]);
    const { replies } = await converse([1, 2, 3].map((id) => request(id, 'tools/list')));
    expect(replies).toEqual([
      {
        jsonrpc: '2.0',
        id: 1,
        error: { code: -32_000, message: 'status 401: invalid_api_key: invalid_api_key' },
      },
      { jsonrpc: '2.0', id: 2, error: { code: -32_000, message: expect.any(String) } },
      {
        jsonrpc: '2.0',
        id: 3,
        error: { code: -32_000, message: 'status 502: the response is not from this API' },
      },
    ]);
  });

  test('a line that is not JSON is a parse error', async () => {
    server = await startFaultServer([]);
    const { replies } = await converse(['{']);
    expect(replies).toEqual([
      { jsonrpc: '2.0', id: null, error: { code: -32_700, message: 'the line is not JSON' } },
    ]);
    expect(server.requests).toEqual([]);
  });

  test('a cancelled request is aborted and gets no reply', async () => {
    server = await startFaultServer([hang, respond(200, reply(2, {}))]);
    const { child, output, ended } = startCli(['mcp'], { baseUrl: server.baseUrl });
    child.stdin.write(`${JSON.stringify(request(1, 'tools/list'))}\n`);
    await eventually(() => expect(server.requests).toHaveLength(1));
    const cancel = { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 1 } };
    child.stdin.end(`${JSON.stringify(cancel)}\n${JSON.stringify(request(2, 'ping'))}\n`);
    expect(await ended).toBe(0);
    expect(output.out.trim()).toBe(JSON.stringify(reply(2, {})));
  });
});
