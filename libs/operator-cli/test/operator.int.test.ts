import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startReceiver, startFullStack, type Receiver, type FullStack } from '@bv/testkit';
import { commandSpecs } from '../src/commands.ts';
import { operator, startFailing, type Outcome } from './command-line.ts';

const unavailable = {
  error: { code: 'api_unavailable', message: 'The service cannot answer now' },
  request_id: 'r-2',
};
let product: FullStack;
let receiver: Receiver;
let scratch: string;
let environment: Record<string, string>;
/** An organisation with a write key, both created by the command line. */
let orgId: string;
let key: string;

const run = (words: string[], input?: string | AsyncIterable<string>): Promise<Outcome> =>
  operator(words, { environment, ...(input === undefined ? {} : { input }) });

/** Runs a command with `--json` that must succeed. Returns the parsed output. */
// oxlint-disable-next-line typescript/no-explicit-any -- tests read bodies of every shape
async function json(...words: string[]): Promise<any> {
  const outcome = await run([...words, '--json']);
  expect(outcome).toMatchObject({ status: 0 });
  return JSON.parse(outcome.out);
}

const daysAgo = (days: number): string => new Date(Date.now() - days * 86_400_000).toISOString().slice(0, 10);

// oxlint-disable-next-line typescript/no-explicit-any -- tests read bodies of every shape
async function api(method: string, path: string, withKey: string, body?: unknown): Promise<any> {
  const response = await fetch(product.stack.baseUrl + path, {
    method,
    headers: {
      authorization: `Bearer ${withKey}`,
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  return { status: response.status, body: await response.json() };
}

beforeAll(async () => {
  product = await startFullStack();
  receiver = await startReceiver(() => 204);
  scratch = await mkdtemp(join(tmpdir(), 'bv-operator-files-'));
  environment = {
    OPERATOR_URL: product.stack.operatorUrl,
    OPERATOR_TOKEN: product.stack.secrets.operatorToken,
  };
  orgId = (await json('orgs', 'create', '--name', 'Acme Inc', '--tier', 'scale')).id;
  key = (await json('keys', 'create', '--org', orgId, '--scopes', 'read,write', '--per-minute', '6000')).key;
}, 400_000);
afterAll(async () => {
  await receiver.close();
  await product.stop();
  await rm(scratch, { recursive: true, force: true });
});

describe('organisations', () => {
  test('orgs create, get, update and delete, as tables', async () => {
    const overrides = 'prompts=7,countries=null,api_access=true';
    const created = await run([
      'orgs',
      'create',
      '--name',
      'Beta',
      '--tier',
      'scale',
      '--overrides',
      overrides,
    ]);
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
      authorization: `Bearer ${environment['OPERATOR_TOKEN']}`,
      'content-type': 'application/json',
    };
    const names = Array.from({ length: 205 }, (_, index) => `Org ${index}`);
    for (const name of names) {
      const body = JSON.stringify({ name, tier: 'scale' });
      await fetch(`${environment['OPERATOR_URL']}/orgs`, { method: 'POST', headers, body });
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
    expect(await json('credits', 'add', '--org', orgId, '--amount', '3')).toEqual({ scan_credits: 3 });
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
    const link = ['links', 'put', '--partner', partner, '--org', orgId, '--scope', 'read_only'];
    expect(await json(...link, '--external-ref', 'c-1')).toMatchObject({ external_ref: 'c-1' });
    expect((await api('GET', `/orgs/${orgId}`, partnerKey)).status).toBe(200);
    await json('links', 'delete', '--partner', partner, '--org', orgId);
    expect((await api('GET', `/orgs/${orgId}`, partnerKey)).status).toBe(404);
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
    await api('GET', '/orgs', key);
    const usage = (await json('usage')) as { owner_id: string }[];
    expect(usage.some(({ owner_id }) => owner_id === orgId)).toBe(true);
    expect(await run(['dead-events', 'list'])).toMatchObject({ status: 0, out: 'none\n' });
    const redrive = await run(['dead-events', 'redrive', randomUUID()]);
    expect(redrive).toMatchObject({
      status: 1,
      notes: expect.stringMatching(/not_found[^]*`dead-events list` shows/),
    });
  });
});

describe('brands, scans and results', () => {
  let brandId: string;
  let promptId: string;

  beforeAll(async () => {
    const brand = await api('POST', `/orgs/${orgId}/properties`, key, {
      name: 'Acme',
      domain: 'acme.com',
      external_ref: 'acme',
      markets: ['US'],
      competitors: [{ name: 'HubSpot', domain: 'hubspot.com' }],
    });
    brandId = brand.body.data.id;
    const prompt = await api('POST', `/orgs/${orgId}/brands/${brandId}/prompts`, key, {
      text: 'best crm',
      countries: ['US'],
    });
    expect(prompt.status).toBe(201);
    promptId = prompt.body.data.id;
  });

  const unit = (overrides: Record<string, unknown> = {}): string =>
    JSON.stringify({
      unit_id: randomUUID(),
      brand_id: brandId,
      prompt_id: promptId,
      platform: 'chatgpt',
      country: 'US',
      run_date: daysAgo(20),
      outcome: 'answered',
      answer_text: 'Acme is good.',
      brands: [{ brand_id: brandId, position: 1, sentiment: 80 }],
      sources: [{ url: 'https://acme.com/crm' }],
      ...overrides,
    });

  test('results import of a file, again, and with invalid lines', async () => {
    const good = Array.from({ length: 50 }, () => unit());
    const file = join(scratch, 'units.ndjson');
    await writeFile(file, good.join('\n'));
    expect(await json('results', 'import', file)).toEqual({
      imported: 50,
      duplicates: 0,
      skipped: 0,
      rejected: [],
    });
    const broken = [...good, '{"unit_id":', unit({ platform: 'altavista' }), 'x'].join('\n');
    await writeFile(file, broken);
    const again = await operator(['results', 'import', 'units.ndjson'], { environment, cwd: scratch });
    expect(again).toMatchObject({
      status: 1,
      out: expect.stringMatching(
        /^duplicates +50$[^]*^skipped +0$[^]*^rejected +3$[^]*^51 +not valid JSON$[^]*^52 +platform/m,
      ),
    });
  });

  test('results import again after a part was stored: lines without a unit_id are not stored twice', async () => {
    const lines = Array.from({ length: 20 }, (_, n) =>
      unit({ unit_id: undefined, answer_text: `Acme is good ${n}.` }),
    );
    const stored = await run(['results', 'import', '--json', '-'], lines.slice(0, 12).join('\n'));
    expect(JSON.parse(stored.out)).toMatchObject({ imported: 12, duplicates: 0 });
    const file = join(scratch, 'no-ids.ndjson');
    await writeFile(file, `${lines.join('\r\n')}\r\n`);
    expect(await json('results', 'import', file)).toMatchObject({
      imported: 8,
      duplicates: 12,
      rejected: [],
    });
    expect(await json('results', 'import', file)).toMatchObject({ imported: 0, duplicates: 20 });
  });

  test('results import counts every rejected line and shows the first ones', async () => {
    const file = join(scratch, 'rejected.ndjson');
    await writeFile(file, 'x\n'.repeat(10_500));
    const outcome = await run(['results', 'import', '--json', file]);
    expect(outcome.status).toBe(1);
    const { rejected, ...counts } = JSON.parse(outcome.out) as { rejected: unknown[] };
    expect(counts).toEqual({ imported: 0, duplicates: 0, skipped: 0, more_rejected: 9_500 });
    expect(rejected).toHaveLength(1_000);
    expect(await run(['results', 'import', file])).toMatchObject({
      status: 1,
      out: expect.stringMatching(/^rejected +10500$[^]*and 10480 more; --json shows the first 1000/m),
    });
  });

  test('results import from the standard input, as it comes', async () => {
    async function* lines() {
      for (let sent = 0; sent < 3; sent += 1) {
        yield `${unit()}\n`;
        await new Promise((resolve) => setTimeout(resolve, 100));
      }
    }
    expect(await run(['results', 'import', '--json'], lines())).toMatchObject({
      status: 0,
      out: expect.stringContaining('"imported": 3'),
    });
    expect(await run(['results', 'import', '-'], '')).toMatchObject({
      status: 0,
      out: expect.stringMatching(/^imported +0$/m),
    });
  });

  test('results import in batches: line numbers count through the file, failed lines are skipped', async () => {
    const answer_text = 'x'.repeat(2_000);
    // Three batches, with a bad line in each and one at both ends.
    const lines = Array.from({ length: 600 }, () => unit({ answer_text }));
    for (const bad of [1, 50, 300, 600]) lines[bad - 1] = 'x';
    lines[400] = unit({ outcome: 'failed' });
    const file = join(scratch, 'batches.ndjson');
    await writeFile(file, `${lines.join('\n')}\n`);
    const outcome = await run(['results', 'import', file, '--json']);
    expect(outcome.status).toBe(1);
    expect(JSON.parse(outcome.out)).toEqual({
      imported: 595,
      duplicates: 0,
      skipped: 1,
      rejected: [1, 50, 300, 600].map((line) => ({ line, error: 'not valid JSON' })),
    });
    const again = await run(['results', 'import', '--json', '-'], lines.join('\n'));
    expect(JSON.parse(again.out)).toMatchObject({ imported: 0, duplicates: 595, skipped: 1 });
  });

  test('results import of future days and unknown markets; units delete removes the imported units', async () => {
    const file = join(scratch, 'rules.ndjson');
    await writeFile(
      file,
      [unit({ run_date: '2099-01-01' }), unit({ country: 'USA', run_date: daysAgo(90) })].join('\n'),
    );
    expect(await run(['results', 'import', file])).toMatchObject({
      status: 1,
      out: expect.stringMatching(
        /^1 +run_date: 2099-01-01 is after today[^]*^2 +country: USA is not a market$/m,
      ),
    });
    expect(await run(['results', 'import', '--allow-unknown-markets', file])).toMatchObject({
      status: 1,
      out: expect.stringMatching(/^imported +1$[^]*^rejected +1$/m),
    });
    const remove = ['units', 'delete', '--brand', brandId, '--from', daysAgo(91), '--to'];
    // Without a terminal there is no prompt.
    expect(await json(...remove, daysAgo(80))).toEqual({ deleted: 1 });
    expect(await json(...remove, daysAgo(80), '--yes')).toEqual({ deleted: 0 });
    expect(await run([...remove, daysAgo(100)])).toMatchObject({
      status: 1,
      notes: expect.stringContaining('from is after to'),
    });
    expect(
      await run(['units', 'delete', '--brand', randomUUID(), '--from', daysAgo(1), '--to', daysAgo(0)]),
    ).toMatchObject({
      status: 1,
      notes: expect.stringMatching(/not_found[^]*GET \/v1\/orgs\/\{orgId\}\/brands/),
    });
  });

  test('results import of a missing file and of a directory', async () => {
    expect(await run(['results', 'import', join(scratch, 'nothing')])).toMatchObject({
      status: 2,
      notes: expect.stringContaining('no such file'),
    });
    expect(await run(['results', 'import', scratch])).toMatchObject({
      status: 2,
      notes: expect.stringContaining('is a directory'),
    });
  });

  test('scans run, brands archive and restore; refusals have hints', async () => {
    expect(await json('scans', 'run', '--brand', brandId)).toMatchObject({ brand_id: brandId });
    expect(await json('brands', 'archive', brandId)).toMatchObject({ id: brandId });
    const scan = await run(['scans', 'run', '--brand', brandId]);
    expect(scan).toMatchObject({
      status: 1,
      notes: expect.stringMatching(/brand_archived[^]*brands restore/),
    });
    await json('orgs', 'update', orgId, '--overrides', 'prompts=0');
    const restore = await run(['brands', 'restore', brandId]);
    expect(restore).toMatchObject({
      status: 1,
      notes: expect.stringMatching(/prompt_cap_exceeded[^]*cap 0, attempted 1[^]*orgs update/),
    });
    await json('orgs', 'update', orgId, '--overrides', '{}');
    expect(await json('brands', 'restore', brandId)).toMatchObject({ id: brandId });
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
      [['orgs', 'update', orgId], /At least one of name, tier, overrides/],
      [['orgs', 'get', 'abc'], /the id: Invalid UUID/],
      [['keys', 'create'], /Pass --org or --partner/],
      [['keys', 'create', '--org', orgId, '--partner', orgId], /not both/],
      [['keys', 'create', '--org', orgId, '--per-minute', 'many'], /--per-minute: .*number/],
      [['orgs', 'list', '--limit', '0'], /from 1/],
      [['orgs', 'lst', '--json'], /Did you mean list/],
      [['keys', 'create', '--org', orgId, '--overrides', 'x=1'], /unknown option/],
    ];
    const outcomes = await Promise.all(
      wrong.map(([words]) =>
        operator(words, { environment: { ...environment, OPERATOR_URL: 'http://127.0.0.1:1' } }),
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
