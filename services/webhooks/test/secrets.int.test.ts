import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { createLifecycle } from '@bv/lifecycle';
import { createLogger } from '@bv/telemetry';
import { eventually, freePort, type Receiver, startReceiver } from '@bv/testkit';
import { createApp } from '../src/app.ts';
import { readConfig } from '../src/config.ts';
import { openSecret, type SealingKey, sealSecret } from '../src/domain/secrets.ts';
import { activeEndpoint, deliveryThat, type Endpoint, publishScan, readMetrics } from './harness.ts';
import { startWebhooks, testEnvironment, type Webhooks } from './start-webhooks.ts';

const keyOf = (id: string, byte: number): SealingKey => ({ id, key: Buffer.alloc(32, byte) });
const [current, older] = [keyOf('k2', 2), keyOf('k1', 1)];
const written = ({ id, key }: SealingKey): string => `${id}:${key.toString('base64')}`;

let webhooks: Webhooks;
let receiver: Receiver;
let monitoringPort: number;
beforeAll(async () => {
  monitoringPort = await freePort();
  const env = {
    WEBHOOKS_SECRET_KEYS: [current, older].map(written).join(','),
    WEBHOOKS_PRUNE_MS: '50',
    WEBHOOKS_MEASURE_MS: '20',
    MONITORING_PORT: String(monitoringPort),
    LOG_LEVEL: 'fatal',
  };
  [webhooks, receiver] = await Promise.all([startWebhooks(env), startReceiver()]);
});
afterAll(async () => {
  await Promise.all([webhooks.stop(), receiver.close()]);
});

const readMetric = async (name: string, labels = ''): Promise<number> =>
  (await readMetrics(monitoringPort))(name, labels);

async function setSealed({ id }: Endpoint, sealed: string): Promise<void> {
  await webhooks.pool.query('update endpoint_secrets set sealed = $2 where endpoint_id = $1', [id, sealed]);
}

const sealedOf = async ({ id }: Endpoint): Promise<string> =>
  (await webhooks.pool.query('select sealed from endpoint_secrets where endpoint_id = $1', [id])).rows[0]
    .sealed;

/** Of everything that concerns this organisation, where it went. */
const pathsOf = (text: string): string[] =>
  receiver.requests.filter(({ body }) => body.includes(text)).map(({ path }) => path);

/** A dispatcher beside the others that has one more key. */
async function startDispatcherWith(key: SealingKey): Promise<{ stop: () => Promise<void> }> {
  const config = readConfig({
    ...testEnvironment(webhooks.database.url, webhooks.nats.url),
    WEBHOOKS_SECRET_KEYS: [current, older, key].map(written).join(','),
    // The other dispatcher's look may hold the row in the moment of this one's first, which passes over it.
    WEBHOOKS_PRUNE_MS: '50',
    ROLE: 'dispatcher',
    LOG_LEVEL: 'fatal',
  });
  const log = createLogger({ service: 'webhooks-test', level: config.LOG_LEVEL });
  const lifecycle = createLifecycle({ log, drainMs: 0 });
  await createApp(config, { log, lifecycle });
  return { stop: () => lifecycle.stop('test') };
}

async function looks(): Promise<number> {
  return readMetric('bv_webhooks_secret_unavailable_total');
}

/** Seals the secret with a key that nobody has, and has a scan told to the endpoint. */
async function holdDelivery(lost: Endpoint, sealing: SealingKey): Promise<string> {
  const before = await looks();
  await setSealed(lost, sealSecret(lost.secret, lost.id, [sealing]));
  const { job_id: jobId } = await publishScan(webhooks, { orgId: lost.orgId });
  await eventually(async () => expect(await looks()).toBeGreaterThan(before + 1));
  await deliveryThat(webhooks, lost, ({ status, attempts }) => status === 'pending' && attempts === 0);
  return jobId;
}

test.each([
  ['is missing', keyOf('gone', 4), keyOf('gone', 4)],
  ['is another than the one of its id', keyOf('k1', 3), keyOf('k9', 3)],
])('deliveries wait while the key %s, hold up nobody, and go once it is back', async (_, sealing, back) => {
  const partner = await webhooks.newPartner();
  const [lost, sound] = [
    await activeEndpoint(webhooks, `${receiver.url}/lost`, partner),
    await activeEndpoint(webhooks, `${receiver.url}/sound`, partner),
  ];
  const jobId = await holdDelivery(lost, sealing);
  await deliveryThat(webhooks, sound, ({ status }) => status === 'succeeded');
  expect(pathsOf(jobId)).toEqual(['/sound']);
  const dispatcher = await startDispatcherWith(back);
  try {
    await deliveryThat(webhooks, lost, ({ status, attempts }) => status === 'succeeded' && attempts === 1);
    // Sealing is a loop of its own, which the delivery does not wait for.
    await eventually(async () => expect(await sealedOf(lost)).toMatch(/^k2\./));
  } finally {
    await dispatcher.stop();
  }
});

test('where the key is lost for good, the second rotation of the secret lets deliveries go', async () => {
  const lost = await activeEndpoint(webhooks, `${receiver.url}/rotated`);
  const jobId = await holdDelivery(lost, keyOf('gone', 3));
  const rotate = { method: 'POST', path: `/webhook-endpoints/${lost.id}/rotate-secret` };
  expect((await webhooks.as(lost.partnerId, rotate)).status).toBe(200);
  const before = await looks();
  await eventually(async () => expect(await looks()).toBeGreaterThan(before + 1));
  expect(pathsOf(jobId)).toEqual([]);
  expect((await webhooks.as(lost.partnerId, rotate)).status).toBe(200);
  await deliveryThat(webhooks, lost, ({ status, attempts }) => status === 'succeeded' && attempts === 1);
});

test('an endpoint that would get nothing anyway is not looked at for its secret', async () => {
  const failing = await activeEndpoint(webhooks, `${receiver.url}/failing`);
  await webhooks.pool.query(`update endpoints set status = 'failing' where id = $1`, [failing.id]);
  await setSealed(failing, sealSecret(failing.secret, failing.id, [keyOf('gone', 3)]));
  const before = await looks();
  await publishScan(webhooks, { orgId: failing.orgId });
  await deliveryThat(webhooks, failing, ({ status }) => status === 'pending');
  await eventually(async () => {
    const { rows } = await webhooks.pool.query('select wake_at::text from endpoints where id = $1', [
      failing.id,
    ]);
    expect(rows).toEqual([{ wake_at: 'infinity' }]);
  });
  expect(await looks()).toBe(before);
  await webhooks.as(failing.partnerId, { method: 'DELETE', path: `/webhook-endpoints/${failing.id}` });
});

test('what an older key sealed is sealed with the first one, and what none opens is left', async () => {
  const aged = await activeEndpoint(webhooks, receiver.url);
  const lost = await activeEndpoint(webhooks, receiver.url);
  const unopenable = sealSecret(lost.secret, lost.id, [keyOf('gone', 3)]);
  await setSealed(lost, unopenable);
  await setSealed(aged, sealSecret(aged.secret, aged.id, [older]));
  await eventually(async () => expect(await sealedOf(aged)).toMatch(/^k2\./));
  expect(openSecret(await sealedOf(aged), aged.id, [current])).toBe(aged.secret);
  expect(await sealedOf(lost)).toBe(unopenable);
  await eventually(async () => {
    expect(await readMetric('bv_webhooks_secrets', 'key="missing",')).toBe(1);
    expect(await readMetric('bv_webhooks_secrets', 'key="older",')).toBe(0);
    expect(await readMetric('bv_webhooks_secrets', 'key="current",')).toBeGreaterThan(0);
  });
});

test('however many: those that cannot be opened are walked past', async () => {
  const { id } = await activeEndpoint(webhooks, receiver.url);
  const rows = Array.from({ length: 450 }, (_, index) => ({
    id: randomUUID(),
    sealed: sealSecret('whsec_old', id, [index % 2 === 0 ? older : keyOf('gone', 3)]),
  }));
  await webhooks.pool.query(
    `insert into endpoint_secrets (id, endpoint_id, sealed, created_at, expires_at)
      select r.id, $1, r.sealed, now() - interval '2 days', now() - interval '1 day'
      from jsonb_to_recordset($2::jsonb) as r(id uuid, sealed text)`,
    [id, JSON.stringify(rows)],
  );
  await eventually(async () => {
    const { rows: found } = await webhooks.pool.query(
      `select split_part(sealed, '.', 1) as key, count(*)::int as secrets from endpoint_secrets
        where endpoint_id = $1 and expires_at is not null group by 1 order by 1`,
      [id],
    );
    expect(found).toEqual([
      { key: 'gone', secrets: 225 },
      { key: 'k2', secrets: 225 },
    ]);
  });
});
