import { startReceiver, type Receiver } from '@bv/testkit';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { operator, startFailing } from './command-line.ts';
import { Product } from './product.ts';

const unavailable = {
  error: { code: 'api_unavailable', message: 'The service cannot answer now' },
  request_id: 'r-2',
};
let product: Product;
let receiver: Receiver;
const run: Product['run'] = (...args) => product.run(...args);

beforeAll(async () => {
  product = await Product.start();
  receiver = await startReceiver(() => 204);
}, 400_000);
afterAll(async () => {
  await receiver.close();
  await product.stop();
});

describe('failures', () => {
  test('a wrong token', async () => {
    const outcome = await run(['orgs', 'list', '--token', 'not-the-operator-token', '--json']);
    expect(outcome).toMatchObject({
      status: 5,
      notes: expect.stringMatching(/comes from --token[^]*OPERATOR_TOKEN/),
    });
    expect(JSON.parse(outcome.out)).toMatchObject({ error: { code: 'invalid_operator_token' } });
    expect(outcome.notes).not.toContain('not-the-operator-token');
    const upload = await run(
      ['results', 'import', '-', '--token', 'not-the-operator-token'],
      'x\n'.repeat(100_000),
    );
    expect(upload).toMatchObject({ status: 5, notes: expect.stringContaining('invalid_operator_token') });
  });

  test('an unreachable address, another server, an invalid address', async () => {
    expect(await run(['orgs', 'list', '--url', 'http://127.0.0.1:1'])).toMatchObject({
      status: 3,
      notes: expect.stringMatching(/cannot be reached[^]*comes from --url/),
    });
    expect(await run(['orgs', 'list', '--url', receiver.url])).toMatchObject({
      status: 6,
      notes: expect.stringContaining('not of the operator API'),
    });
    expect(await run(['orgs', 'list', '--url', product.stack.baseUrl.replace(/\/v1$/, '')])).toMatchObject({
      status: 6,
      notes: expect.stringContaining('may not be the operator API'),
    });
    for (const bad of ['localhost', 'http://user:pa/ss@localhost']) {
      const { status, notes } = await run(['orgs', 'list', '--url', bad]);
      expect({ status, notes }).toEqual({ status: 2, notes: expect.stringMatching(/^--url: expected /) });
      expect(notes).not.toContain(bad);
    }
  });

  test('an import that is refused before its last line reports it and sends no more', async () => {
    const failing = await startFailing(
      (response) => response.end(JSON.stringify({ data: [], pagination: { next_cursor: null } })),
      (response) => response.writeHead(503, { 'retry-after': '7' }).end(JSON.stringify(unavailable)),
    );
    let over = false;
    async function* endless() {
      while (!over) {
        yield 'x\n';
        await new Promise((resolve) => setTimeout(resolve, 5));
      }
    }
    try {
      const refused = await run(['results', 'import', '--url', failing.url, '--json'], endless());
      expect(JSON.parse(refused.out)).toEqual(unavailable);
      expect(refused.notes).toContain('Try again in 7 s');
    } finally {
      over = true;
      failing.close();
    }
  });

  test('an interrupted import reports which lines are done', async () => {
    const done = { imported: 100, duplicates: 0, skipped: 0, rejected: [] };
    const failing = await startFailing(
      (response) => response.end(JSON.stringify({ data: [], pagination: { next_cursor: null } })),
      (response) => {
        response.req.resume().once('end', () => response.end(JSON.stringify({ data: done })));
      },
      (response) => response.writeHead(503, { 'retry-after': '7' }).end(JSON.stringify(unavailable)),
    );
    const lines = `${'x'.repeat(2_621)}\n`.repeat(250);
    try {
      const refused = await run(['results', 'import', '--url', failing.url], lines);
      expect(refused).toMatchObject({
        status: 3,
        notes: expect.stringMatching(
          /Lines 1 to 100 are done: 100 imported[^]*again to continue\. Stored lines[^]*unit_id[^]*Try again in 7 s/,
        ),
      });
    } finally {
      failing.close();
    }
  });

  test('a failing server: its refusal, a proxy’s page, a truncated response', async () => {
    const internal = { error: { code: 'internal_error', message: 'Internal error' }, request_id: 'r-1' };
    const failing = await startFailing(
      (response) => response.writeHead(500).end(JSON.stringify(internal)),
      (response) => response.writeHead(502, 'Bad Gateway').end('<html>502</html>'),
      (response) => {
        response.writeHead(200, { 'content-length': '100' }).write('{"da');
        response.destroy();
      },
      (response) => response.writeHead(503, { 'retry-after': '7' }).end(JSON.stringify(unavailable)),
    );
    const list = () => run(['orgs', 'list', '--url', failing.url, '--json']);
    try {
      const refused = await list();
      expect(refused).toMatchObject({ status: 1, notes: expect.stringMatching(/log of the gateway[^]*r-1/) });
      expect(JSON.parse(refused.out)).toEqual(internal);
      const proxied = await list();
      expect(proxied).toMatchObject({ status: 3, notes: expect.stringMatching(/502 Bad Gateway[^]*proxy/) });
      expect(JSON.parse(proxied.out)).toMatchObject({ error: { code: 'unreachable' } });
      expect(await list()).toMatchObject({ status: 3, notes: expect.stringContaining('cannot be reached') });
      expect(await list()).toMatchObject({ status: 3, notes: expect.stringMatching(/Try again in 7 s/) });
    } finally {
      failing.close();
    }
  });

  test('an invalid command line sends no request', async () => {
    const wrong: [string[], RegExp][] = [
      [['orgs', 'create', '--tier', 'scale'], /--name/],
      [['orgs', 'update', product.orgId], /At least one of name, tier, overrides/],
      [['orgs', 'get', 'abc'], /the id: Invalid UUID/],
      [['keys', 'create'], /Pass --org or --partner/],
      [['keys', 'create', '--org', product.orgId, '--partner', product.orgId], /not both/],
      [['keys', 'create', '--org', product.orgId, '--per-minute', 'many'], /--per-minute: .*number/],
      [['orgs', 'list', '--limit', '0'], /from 1/],
      [['orgs', 'lst', '--json'], /Did you mean list/],
      [['keys', 'create', '--org', product.orgId, '--overrides', 'x=1'], /unknown option/],
    ];
    const outcomes = await Promise.all(
      wrong.map(([words]) =>
        operator(words, { environment: { ...product.environment, OPERATOR_URL: 'http://127.0.0.1:1' } }),
      ),
    );
    for (const [index, outcome] of outcomes.entries()) {
      expect(outcome).toMatchObject({ status: 2, notes: expect.stringMatching(wrong[index]?.[1] ?? /^$/) });
      if (wrong[index]?.[0].includes('--json')) {
        expect(JSON.parse(outcome.out)).toMatchObject({ error: { code: 'usage' } });
      } else expect(outcome.out).toBe('');
    }
  });

  test('a service that has not applied the change is named, and the wait is shown', async () => {
    const pid = product.stack.services.get('scans')?.pid();
    if (pid === undefined) throw new Error('scans does not run');
    process.kill(pid, 'SIGSTOP');
    try {
      const outcome = await run(['orgs', 'create', '--name', 'Waiting', '--tier', 'scale']);
      expect(outcome).toMatchObject({ status: 4, out: '' });
      expect(outcome.notes).toMatch(/waiting until every service has applied the change …\n[^]*scans/);
      expect(outcome.notes).toContain('do not repeat it');
      const refusal = await run(['orgs', 'create', '--name', 'Waiting too', '--tier', 'scale', '--json']);
      expect(JSON.parse(refusal.out).error.details).toEqual({ stored: true, waiting_for: ['scans-catalog'] });
    } finally {
      process.kill(pid, 'SIGCONT');
    }
  });
});
