import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { eventually, freePort, type Receiver, startReceiver } from '@bv/testkit';
import { openSecret, type SealingKey, sealSecret } from '../src/domain/secrets.ts';
import { activeEndpoint, deliveryThat, type Endpoint, publishScan } from './harness.ts';
import { startWebhooks, type Webhooks } from './start-webhooks.ts';

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

async function readMetric(name: string, labels = ''): Promise<number> {
  const text = await (await fetch(`http://127.0.0.1:${monitoringPort}/metrics`)).text();
  return Number(new RegExp(`^${name}\\{${labels}service="webhooks"\\} (.*)$`, 'm').exec(text)?.[1]);
}

async function setSealed({ id }: Endpoint, sealed: string): Promise<void> {
  await webhooks.pool.query('update endpoint_secrets set sealed = $2 where endpoint_id = $1', [id, sealed]);
}

const sealedOf = async ({ id }: Endpoint): Promise<string> =>
  (await webhooks.pool.query('select sealed from endpoint_secrets where endpoint_id = $1', [id])).rows[0]
    .sealed;

test.each([
  ['is missing', keyOf('gone', 2)],
  ['is another than the one of its id', keyOf('k1', 3)],
])('deliveries wait while the key %s, hold up nobody, and go once it is back', async (_, sealing) => {
  const partner = await webhooks.newPartner();
  const [lost, sound] = [
    await activeEndpoint(webhooks, `${receiver.url}/lost`, partner),
    await activeEndpoint(webhooks, `${receiver.url}/sound`, partner),
  ];
  const before = await readMetric('webhooks_unsigned_total');
  await setSealed(lost, sealSecret(lost.secret, lost.id, [sealing]));
  const scan = await publishScan(webhooks, { orgId: partner.orgId });
  await deliveryThat(webhooks, sound, ({ status }) => status === 'succeeded');
  await eventually(async () => {
    expect(await readMetric('webhooks_unsigned_total')).toBeGreaterThan(before + 1);
  });
  await deliveryThat(webhooks, lost, ({ status, attempts }) => status === 'pending' && attempts === 0);
  const paths = receiver.requests.filter(({ body }) => body.includes(scan.job_id)).map(({ path }) => path);
  expect(paths).toEqual(['/sound']);
  await setSealed(lost, sealSecret(lost.secret, lost.id, [current]));
  await deliveryThat(webhooks, lost, ({ status, attempts }) => status === 'succeeded' && attempts === 1);
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
    expect(await readMetric('webhooks_secrets', 'key="missing",')).toBe(1);
    expect(await readMetric('webhooks_secrets', 'key="older",')).toBe(0);
    expect(await readMetric('webhooks_secrets', 'key="current",')).toBeGreaterThan(0);
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
