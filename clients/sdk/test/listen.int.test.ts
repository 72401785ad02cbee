/** `bv listen` against the whole product. */
import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import { verifyWebhook } from '@bv/sdk';
import { eventually, type Receiver, startReceiver } from '@bv/testkit';
import { type Customer, startWithCustomer } from './customer.ts';
import { killAll, runCli, startCli } from './run-cli.ts';

const secret = 'whsec_MDEyMzQ1Njc4OTAxMjM0NTY3ODkwMTIzNDU2Nzg5MDE=';

let customer: Customer;
/** The receiver of the endpoint, and the one on the machine of a developer. */
let hosted: Receiver;
let local: Receiver;
let endpointId: string;
let scan: () => Promise<unknown>;

beforeAll(async () => {
  [customer, hosted, local] = await Promise.all([startWithCustomer(), startReceiver(), startReceiver()]);
  const { client, orgId, partner } = customer;
  const { id: brandId } = await client.createProperty({ orgId }, { name: 'Acme', domain: 'acme.com' });
  await client.createPrompt({ orgId, brandId }, { text: 'Which CRM is best?', countries: ['US'] });
  scan = () => client.requestScan({ orgId, brandId });
  ({ id: endpointId } = await partner.createWebhookEndpoint({ url: `${hosted.url}/hook` }));
  await eventually(async () => {
    expect(await partner.listWebhookEndpoints().all()).toMatchObject([{ status: 'active' }]);
  });
  await partner.createSubscription({ endpointId }, { event_type: 'scan.completed' });
}, 180_000);
afterEach(() => killAll());
afterAll(async () => {
  await Promise.all([customer.stop(), hosted.close(), local.close()]);
}, 60_000);

const words = () => [
  'listen',
  '--endpoint',
  endpointId,
  '--forward',
  `${local.url}/webhooks`,
  '--interval',
  '1',
];
const access = () => ({ baseUrl: customer.baseUrl, apiKey: customer.partnerKey });

test('new events reach the local receiver with the same body and a valid signature; SIGINT is exit 0', async () => {
  const { child, output, ended } = startCli(words(), access());
  await eventually(() => expect(output.out).toContain(`forwards deliveries of ${endpointId}`));
  const before = local.requests.length;
  const printed = /^secret (whsec_\S+)$/m.exec(output.out)?.[1] ?? '';
  await customer.partner.testWebhookEndpoint({ endpointId });
  await scan();
  const got = await local.waitFor(({ body }) => body.includes('scan.completed'));
  const sent = await hosted.waitFor(({ body }) => body.includes('scan.completed'));
  expect(got).toMatchObject({ path: '/webhooks', body: sent.body });
  expect(got.headers['webhook-id']).toBe(sent.headers['webhook-id']);
  const event = await verifyWebhook({ headers: got.headers, body: got.body }, printed);
  expect(event).toMatchObject({ type: 'scan.completed', data: { brand: { name: 'Acme' } } });
  await eventually(() =>
    expect(output.out).toMatch(new RegExp(`^\\d{4}-\\S+Z scan\\.completed ${event.id} 204$`, 'm')),
  );
  // Not the ping that verified the endpoint before.
  const types = local.requests.slice(before).map(({ body }) => (JSON.parse(body) as { type: string }).type);
  expect(types).toEqual(['endpoint.ping', 'scan.completed']);
  child.kill('SIGINT');
  expect([await ended, output.err]).toEqual([0, '']);
}, 120_000);

test('--since forwards earlier events again, oldest first, with the secret of the environment', async () => {
  await customer.partner.testWebhookEndpoint({ endpointId });
  const earlier = await customer.partner.listDeliveries({ endpointId }).all();
  const before = local.requests.length;
  const env = { BV_WEBHOOK_SECRET: secret };
  const since = [...words(), '--since', '2026-01-01T00:00:00Z'];
  const { child, output, ended } = startCli(since, { ...access(), env });
  await eventually(() => expect(local.requests.length - before).toBe(earlier.length));
  const again = local.requests.slice(before);
  const ids = again.map(({ headers }) => headers['webhook-id']);
  expect(ids).toEqual(earlier.map(({ event_id }) => event_id).toReversed());
  for (const { headers, body } of again) await verifyWebhook({ headers, body }, secret);
  child.kill('SIGTERM');
  expect(await ended).toBe(0);
  expect(output.out + output.err).not.toContain('whsec_');
}, 60_000);

test('an organisation key, a wrong key and an unknown endpoint are exit 1', async () => {
  const { baseUrl, key } = customer;
  const refusals = [
    [key, words(), 'partner_only'],
    [`bvk_live_${'0'.repeat(43)}`, words(), 'the API refused the key'],
    [customer.partnerKey, words().with(2, customer.orgId), 'not_found'],
  ] as const;
  for (const [apiKey, args, message] of refusals) {
    const { code, out, err } = await runCli([...args], { baseUrl, apiKey });
    expect([code, err]).toEqual([1, expect.stringContaining(message)]);
    expect(out).not.toContain('forwards');
  }
}, 60_000);
