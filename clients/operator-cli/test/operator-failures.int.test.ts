import { randomUUID } from 'node:crypto';
import { startReceiver, type Receiver } from '@bv/testkit';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { operator, operatorHere, startFailing } from './command-line.ts';

const unavailable = {
  error: { code: 'api_unavailable', message: 'The service cannot answer now' },
  request_id: 'r-2',
};
let receiver: Receiver;
const environment = { OPERATOR_URL: 'http://127.0.0.1:1', OPERATOR_TOKEN: 'a-token-of-the-operator' };
const run = (words: string[], input?: string | AsyncIterable<string>) =>
  input === undefined ? operatorHere(words, environment) : operator(words, { environment, input });

beforeAll(async () => {
  receiver = await startReceiver(() => 204);
});
afterAll(() => receiver.close());

describe('failures', () => {
  test('an unreachable address, another server, an invalid address', async () => {
    expect(await run(['orgs', 'list', '--url', 'http://127.0.0.1:1'])).toMatchObject({
      status: 3,
      notes: expect.stringMatching(/cannot be reached[^]*comes from --url/),
    });
    expect(await run(['orgs', 'list', '--url', receiver.url])).toMatchObject({
      status: 6,
      notes: expect.stringContaining('not of the operator API'),
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
      [['orgs', 'update', randomUUID()], /At least one of name, tier, overrides/],
      [['orgs', 'get', 'abc'], /the id: Invalid UUID/],
      [['keys', 'create'], /Pass --org or --partner/],
      [['keys', 'create', '--org', randomUUID(), '--partner', randomUUID()], /not both/],
      [['keys', 'create', '--org', randomUUID(), '--per-minute', 'many'], /--per-minute: .*number/],
      [['orgs', 'list', '--limit', '0'], /from 1/],
      [['orgs', 'lst', '--json'], /Did you mean list/],
      [['keys', 'create', '--org', randomUUID(), '--overrides', 'x=1'], /unknown option/],
    ];
    const outcomes = await Promise.all(wrong.map(([words]) => run(words)));
    for (const [index, outcome] of outcomes.entries()) {
      expect(outcome).toMatchObject({ status: 2, notes: expect.stringMatching(wrong[index]?.[1] ?? /^$/) });
      if (wrong[index]?.[0].includes('--json')) {
        expect(JSON.parse(outcome.out)).toMatchObject({ error: { code: 'usage' } });
      } else expect(outcome.out).toBe('');
    }
  });
});
