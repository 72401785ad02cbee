import { randomUUID } from 'node:crypto';
import { startReceiver, type Receiver } from '@bv/testkit';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { commandSpecs } from '../src/commands.ts';
import { operator, operatorHere } from './command-line.ts';
import { Product } from './product.ts';

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
    expect(created.out).toMatch(/^overrides\n {2}prompts +7\n {2}countries +unlimited\n/m);
    expect(await json('orgs', 'update', id, '--name', 'Beta Ltd')).toMatchObject({ id, name: 'Beta Ltd' });
    expect(await json('orgs', 'get', id)).toMatchObject({ name: 'Beta Ltd', usage: expect.anything() });
    const table = await run(['orgs', 'get', id]);
    expect(table.out).toMatch(/^usage\n {2}prompts\n {4}used +0\n {4}limit +7\n/m);
    expect(await run(['orgs', 'delete', id])).toMatchObject({
      status: 2,
      notes: expect.stringContaining('needs --yes'),
    });
    expect(await json('orgs', 'delete', id, '--yes')).toEqual({ id, deleted: true });
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
    const add = (name: string) => {
      const body = JSON.stringify({ name, tier: 'scale' });
      return fetch(`${product.environment['OPERATOR_URL']}/orgs`, { method: 'POST', headers, body });
    };
    for (let from = 0; from < names.length; from += 10)
      await Promise.all(names.slice(from, from + 10).map(add));
    const all = (await json('orgs', 'list')) as { id: string; name: string }[];
    expect(new Set(all.map(({ id }) => id)).size).toBe(all.length);
    expect(all.map(({ name }) => name)).toEqual(expect.arrayContaining(names));
    expect(await json('orgs', 'list', '--limit', '3')).toHaveLength(3);
    const table = await run(['orgs', 'list', '--limit', '201']);
    expect(table.out.trimEnd().split('\n')).toHaveLength(202);
    expect(table).toMatchObject({ status: 0, notes: expect.stringContaining('more than 201') });
  }, 300_000);

  test('tiers list, and an unknown tier', async () => {
    const tiers = (await json('tiers')) as { name: string }[];
    expect(tiers.map(({ name }) => name)).toEqual(['enterprise', 'growth', 'scale', 'starter']);
    expect((await run(['tiers'])).out).toMatch(
      /^enterprise +true +true +unlimited +unlimited +unlimited +250/m,
    );
    expect(await run(['orgs', 'create', '--name', 'X', '--tier', 'scal'])).toMatchObject({
      status: 1,
      notes: expect.stringMatching(/tier: .*Tiers: enterprise, growth, scale, starter[^]*`tiers list`/),
    });
  });

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
    expect(await json('keys', 'get', keys[0]?.id ?? '')).toMatchObject({ owner_name: 'Keys' });
    await json('keys', 'revoke', keys[0]?.id ?? '', '--yes');
    expect((await api('GET', '/orgs', keys[0]?.key ?? '')).status).toBe(401);
  });

  test('keys create shows the key once, and refuses an expiry in the past', async () => {
    const create = ['keys', 'create', '--partner', (await json('partners', 'create', '--name', 'Once')).id];
    const created = await run(create);
    expect(created).toMatchObject({
      status: 0,
      out: expect.stringMatching(/^key +bvk_live_/m),
      notes: expect.stringContaining('The key is shown only now'),
    });
    expect(await run([...create, '--expires-at', '2020-01-01T00:00:00Z'])).toMatchObject({
      status: 1,
      notes: expect.stringMatching(/expires_at: Expected a time in the future/),
    });
  });

  test('partners create and update, links put and delete, keys of a partner', async () => {
    const partner = (await json('partners', 'create', '--name', 'Agency')).id as string;
    const partnerKey = (await json('keys', 'create', '--partner', partner)).key as string;
    expect(await json('keys', 'list', '--partner', partner)).toHaveLength(1);
    const link = ['links', 'put', '--partner', partner, '--org', product.orgId, '--scope', 'read_only'];
    expect(await json(...link, '--external-ref', 'c-1')).toMatchObject({ external_ref: 'c-1' });
    expect((await api('GET', `/orgs/${product.orgId}`, partnerKey)).status).toBe(200);
    const named = { partner_name: 'Agency', org_name: 'Acme Inc', external_ref: 'c-1' };
    expect(await json('links', 'list', '--partner', partner)).toMatchObject([named]);
    expect(await json('links', 'list', '--org', product.orgId)).toMatchObject([named]);
    expect(await json('partners', 'get', partner)).toMatchObject({
      name: 'Agency',
      links: 1,
      active_keys: 1,
    });
    expect(await json('partners', 'list')).toContainEqual(expect.objectContaining({ id: partner }));
    await json('links', 'delete', '--partner', partner, '--org', product.orgId, '--yes');
    expect((await api('GET', `/orgs/${product.orgId}`, partnerKey)).status).toBe(404);
    expect(await json('partners', 'update', partner, '--status', 'suspended')).toMatchObject({
      status: 'suspended',
    });
    expect((await api('GET', '/orgs', partnerKey)).status).toBe(401);
  });

  test('endpoints list, disable and enable; deliveries and webhook events', async () => {
    const partner = (await json('partners', 'create', '--name', 'Hooks')).id as string;
    const partnerKey = (await json('keys', 'create', '--partner', partner, '--scopes', 'read,write'))
      .key as string;
    const endpoint = await api('POST', '/webhook-endpoints', partnerKey, { url: `${receiver.url}/hook` });
    const id = endpoint.body.data.id as string;
    expect(await json('endpoints', 'list', '--partner', partner)).toMatchObject([
      { id, partner_name: 'Hooks' },
    ]);
    const [delivery] = await json('deliveries', 'list', '--endpoint', id);
    expect(await json('deliveries', 'get', delivery.id)).toMatchObject({ partner_name: 'Hooks' });
    const event = await run(['webhook-events', 'get', delivery.event_id]);
    expect(event.out).toMatch(/^deliveries\n {2}ID [^]*^body\n\{\n {2}"id"/m);
    expect(await json('webhook-events', 'list', '--limit', '1')).toHaveLength(1);
    expect(await json('endpoints', 'disable', id)).toMatchObject({ status: 'disabled' });
    expect(await json('endpoints', 'enable', id)).toMatchObject({ status: 'pending_verification' });
  });

  test('usage and dead-events list; a dead-letter event that does not exist', async () => {
    await api('GET', '/orgs', product.key);
    const usage = await json('usage', 'list', '--org', product.orgId, '--used');
    expect(usage).toMatchObject([{ owner_id: product.orgId, owner_name: 'Acme Inc' }]);
    expect(await run(['usage', '--month', '2020-01', '--org', product.orgId])).toMatchObject({
      status: 0,
      out: expect.stringMatching(/ 2020-01 +0 +unlimited$/m),
      notes: '1 keys, 0 requests\n',
    });
    expect(await run(['dead-events', 'list'])).toMatchObject({ status: 0, out: 'none\n' });
    const redrive = await run(['dead-events', 'redrive', randomUUID()]);
    expect(redrive).toMatchObject({
      status: 1,
      notes: expect.stringMatching(/not_found[^]*`dead-events list` shows/),
    });
  });
});

test('status shows the services with their migrations and queues', async () => {
  const status = await run(['status']);
  expect(status).toMatchObject({ status: 0, notes: '' });
  for (const service of ['catalog', 'gateway', 'results', 'scans', 'webhooks']) {
    expect(status.out).toMatch(new RegExp(`^${service} +ok +\\d{4}_\\w+ +\\d+ +outbox +\\d+`, 'm'));
  }
  expect(status.out).toMatch(/^ +events of catalog +\d+/m);
});

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

test('--version', async () => {
  expect(await operator(['--version'])).toMatchObject({
    status: 0,
    out: expect.stringMatching(/^\d+\.\d+\.\d+ \(API revision \d{4}-\d\d-\d\d\)\n$/),
  });
});

test('help names every command, its options with examples, and its exit statuses', async () => {
  const help = await operatorHere(['--help']);
  expect(help).toMatchObject({ status: 0, out: expect.stringMatching(/Exit status:\n {2}0 {2}done\n/) });
  const specs = commandSpecs();
  const helps = await Promise.all(specs.map(({ group, verb }) => operatorHere([group, verb, '--help'])));
  for (const [index, { status, out }] of helps.entries()) {
    expect(status).toBe(0);
    const { group, verb } = specs[index] ?? { group: '', verb: '' };
    const words = [
      '--json',
      '--url',
      '--token',
      'Exit status',
      `Examples:\n  pnpm operator ${group} ${verb}`,
    ];
    for (const word of words) expect(out).toContain(word);
    for (const { operation, body, query, options } of specs[index]?.variants ?? []) {
      expect(out.replaceAll(/\s+/g, ' ')).toContain(operation.summary);
      for (const { option } of [...body, ...query, ...options]) expect(out).toContain(`--${option}`);
    }
  }
  expect(await operatorHere(['links', 'put', '--help'])).toMatchObject({
    status: 0,
    out: expect.stringMatching(/--scope <value> +Whether[^]*read_only \|\s+read_write \(required\)/),
  });
});
