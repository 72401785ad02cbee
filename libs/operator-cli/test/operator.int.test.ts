import { randomUUID } from 'node:crypto';
import { startReceiver, type Receiver } from '@bv/testkit';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { commandSpecs } from '../src/commands.ts';
import { operator, startFailing } from './command-line.ts';
import { Product } from './product.ts';

const unavailable = {
  error: { code: 'api_unavailable', message: 'The service cannot answer now' },
  request_id: 'r-2',
};
let product: Product;
let receiver: Receiver;
const run: Product['run'] = (...args) => product.run(...args);
const json: Product['json'] = (...args) => product.json(...args);
const api: Product['api'] = (...args) => product.api(...args);

beforeAll(async () => {
  product = await Product.start();
  receiver = await startReceiver(() => 204);
}, 400_000);
afterAll(async () => {
  await receiver.close();
  await product.stop();
});

describe('organisations', () => {
  test('orgs create, get, update and delete, as tables', async () => {
    const overrides = 'prompts=7,countries=null,api_access=true';
    const words = ['orgs', 'create', '--name', 'Beta', '--tier', 'scale'];
    const created = await run([...words, '--overrides', overrides]);
    expect(created).toMatchObject({ status: 0, out: expect.stringMatching(/^name +Beta$/m) });
    const id = /^id +(\S+)$/m.exec(created.out)?.[1] ?? '';
    expect(created.out).toMatch(/^overrides +.*prompts=7/m);
    expect(await json('orgs', 'update', id, '--name', 'Beta Ltd')).toMatchObject({ id, name: 'Beta Ltd' });
    expect(await json('orgs', 'get', id)).toMatchObject({ name: 'Beta Ltd', usage: expect.anything() });
    expect(await json('orgs', 'delete', id)).toEqual({ id, deleted: true });
    const gone = await run(['orgs', 'get', id]);
    expect(gone).toMatchObject({
      status: 1,
      notes: expect.stringMatching(/not_found[^]*The id does not exist/),
    });
  });

  test('orgs list reads all pages, or up to --limit', async () => {
    const headers = {
      authorization: `Bearer ${product.environment['OPERATOR_TOKEN']}`,
      'content-type': 'application/json',
    };
    const names = Array.from({ length: 205 }, (_, index) => `Org ${index}`);
    for (const name of names) {
      const body = JSON.stringify({ name, tier: 'scale' });
      await fetch(`${product.environment['OPERATOR_URL']}/orgs`, { method: 'POST', headers, body });
    }
    const all = (await json('orgs', 'list')) as { id: string; name: string }[];
    expect(new Set(all.map(({ id }) => id)).size).toBe(all.length);
    expect(all.map(({ name }) => name)).toEqual(expect.arrayContaining(names));
    expect(await json('orgs', 'list', '--limit', '3')).toHaveLength(3);
    const table = await run(['orgs', 'list', '--limit', '201']);
    expect(table.out.trimEnd().split('\n')).toHaveLength(202);
    expect(table).toMatchObject({ status: 0, notes: expect.stringContaining('more than 201') });
  }, 300_000);

  test('credits add', async () => {
    expect(await json('credits', 'add', '--org', product.orgId, '--amount', '3')).toEqual({
      scan_credits: 3,
    });
  });
});

describe('keys, partners and links', () => {
  test('keys create, list and revoke; a sixth is refused with a hint', async () => {
    const id = (await json('orgs', 'create', '--name', 'Keys', '--tier', 'scale')).id as string;
    const keys: { id: string; key: string }[] = [];
    for (let created = 0; created < 5; created += 1) keys.push(await json('keys', 'create', '--org', id));
    const sixth = await run(['keys', 'create', '--org', id]);
    expect(sixth).toMatchObject({
      status: 1,
      notes: expect.stringMatching(/key_limit_reached[^]*keys revoke/),
    });
    const listed = await json('keys', 'list', '--org', id);
    expect(listed).toHaveLength(5);
    expect(JSON.stringify(listed)).not.toContain(keys[0]?.key);
    expect((await api('GET', '/orgs', keys[0]?.key ?? '')).status).toBe(200);
    await json('keys', 'revoke', keys[0]?.id ?? '');
    expect((await api('GET', '/orgs', keys[0]?.key ?? '')).status).toBe(401);
  });

  test('partners create and update, links put and delete, keys of a partner', async () => {
    const partner = (await json('partners', 'create', '--name', 'Agency')).id as string;
    const partnerKey = (await json('keys', 'create', '--partner', partner)).key as string;
    expect(await json('keys', 'list', '--partner', partner)).toHaveLength(1);
    const link = ['links', 'put', '--partner', partner, '--org', product.orgId, '--scope', 'read_only'];
    expect(await json(...link, '--external-ref', 'c-1')).toMatchObject({ external_ref: 'c-1' });
    expect((await api('GET', `/orgs/${product.orgId}`, partnerKey)).status).toBe(200);
    await json('links', 'delete', '--partner', partner, '--org', product.orgId);
    expect((await api('GET', `/orgs/${product.orgId}`, partnerKey)).status).toBe(404);
    expect(await json('partners', 'update', partner, '--status', 'suspended')).toMatchObject({
      status: 'suspended',
    });
    expect((await api('GET', '/orgs', partnerKey)).status).toBe(401);
  });

  test('endpoints disable and enable', async () => {
    const partner = (await json('partners', 'create', '--name', 'Hooks')).id as string;
    const partnerKey = (await json('keys', 'create', '--partner', partner, '--scopes', 'read,write'))
      .key as string;
    const endpoint = await api('POST', '/webhook-endpoints', partnerKey, { url: `${receiver.url}/hook` });
    const id = endpoint.body.data.id as string;
    expect(await json('endpoints', 'disable', id)).toMatchObject({ status: 'disabled' });
    expect(await json('endpoints', 'enable', id)).toMatchObject({ status: 'pending_verification' });
  });

  test('usage and dead-events list; a dead-letter event that does not exist', async () => {
    await api('GET', '/orgs', product.key);
    const usage = (await json('usage')) as { owner_id: string }[];
    expect(usage.some(({ owner_id }) => owner_id === product.orgId)).toBe(true);
    expect(await run(['dead-events', 'list'])).toMatchObject({ status: 0, out: 'none\n' });
    const redrive = await run(['dead-events', 'redrive', randomUUID()]);
    expect(redrive).toMatchObject({
      status: 1,
      notes: expect.stringMatching(/not_found[^]*`dead-events list` shows/),
    });
  });
});

describe('failures', () => {
  test('a wrong token', async () => {
    const outcome = await run(['orgs', 'list', '--token', 'not-the-operator-token', '--json']);
    expect(outcome).toMatchObject({
      status: 1,
      notes: expect.stringMatching(/comes from --token[^]*OPERATOR_TOKEN/),
    });
    expect(JSON.parse(outcome.out)).toMatchObject({ error: { code: 'invalid_operator_token' } });
    expect(outcome.notes).not.toContain('not-the-operator-token');
    const upload = await run(
      ['results', 'import', '-', '--token', 'not-the-operator-token'],
      'x\n'.repeat(100_000),
    );
    expect(upload).toMatchObject({ status: 1, notes: expect.stringContaining('invalid_operator_token') });
  });

  test('an unreachable address, another server, an invalid address', async () => {
    expect(await run(['orgs', 'list', '--url', 'http://127.0.0.1:1'])).toMatchObject({
      status: 3,
      notes: expect.stringMatching(/cannot be reached[^]*comes from --url/),
    });
    expect(await run(['orgs', 'list', '--url', receiver.url])).toMatchObject({
      status: 3,
      notes: expect.stringContaining('not the operator API'),
    });
    expect(await run(['orgs', 'list', '--url', product.stack.baseUrl.replace(/\/v1$/, '')])).toMatchObject({
      status: 1,
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

test('help names every command and its exit statuses', async () => {
  const help = await operator(['--help']);
  expect(help).toMatchObject({ status: 0, out: expect.stringContaining('Exit status: 0 done') });
  const specs = commandSpecs();
  const helps = await Promise.all(specs.map(({ group, verb }) => operator([group, verb, '--help'])));
  for (const [index, { status, out }] of helps.entries()) {
    expect(status).toBe(0);
    for (const word of ['--json', '--url', '--token', 'Exit status']) expect(out).toContain(word);
    for (const { operation, body, query, options } of specs[index]?.variants ?? []) {
      expect(out.replaceAll(/\s+/g, ' ')).toContain(operation.summary);
      for (const { option } of [...body, ...query, ...options]) expect(out).toContain(`--${option}`);
    }
  }
  expect(await operator(['links', 'put', '--help'])).toMatchObject({
    status: 0,
    out: expect.stringMatching(/--scope <value> +read_only \| read_write/),
  });
});
