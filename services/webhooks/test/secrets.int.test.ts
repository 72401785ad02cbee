import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { deleteWebhookEndpoint, rotateWebhookSecret } from '@bv/contract';
import type { EncryptionKey as AnyKey } from '@bv/crypto';
import { eventually, type Receiver, startReceiver } from '@bv/testkit';
import { createSecretCipher } from '../src/domain/secrets.ts';
import {
  activeEndpoint,
  waitForDelivery,
  type Endpoint,
  publishScan,
  readMetrics,
  waitUntilPostponed,
} from './harness.ts';
import { startWebhooks, testSettings, type Webhooks } from './start-webhooks.ts';

type EncryptionKey = AnyKey<string>;
const testKey = (id: string, byte: number): EncryptionKey => ({ id, key: Buffer.alloc(32, byte) });
const [current, older] = [testKey('k2', 2), testKey('k1', 1)];
const encryptWith = (key: EncryptionKey, { id, secret }: Pick<Endpoint, 'id' | 'secret'>): string =>
  createSecretCipher([key]).encrypt(secret, id);
const toSetting = ({ id, key }: EncryptionKey): string => `${id}:${key.toString('base64')}`;

let webhooks: Webhooks;
let receiver: Receiver;
beforeAll(async () => {
  const env = {
    WEBHOOKS_SECRET_KEYS: [current, older].map(toSetting).join(','),
    WEBHOOKS_PRUNE_MS: '50',
    WEBHOOKS_MEASURE_MS: '20',
  };
  [webhooks, receiver] = await Promise.all([startWebhooks(env), startReceiver()]);
});
afterAll(async () => {
  await Promise.all([webhooks.stop(), receiver.close()]);
});

const readMetric = async (name: string, labels = ''): Promise<number> =>
  (await readMetrics(webhooks))(name, labels);

async function setEncryptedSecret({ id }: Endpoint, encrypted: string): Promise<void> {
  await webhooks.pool.query('update endpoint_secrets set ciphertext = $2 where endpoint_id = $1', [
    id,
    encrypted,
  ]);
}

const readEncryptedSecret = async ({ id }: Endpoint): Promise<string> =>
  (await webhooks.pool.query('select ciphertext from endpoint_secrets where endpoint_id = $1', [id])).rows[0]
    .ciphertext;

/** The paths of the requests whose body contains this text. */
const pathsOf = (text: string): string[] =>
  receiver.requests.filter(({ body }) => body.includes(text)).map(({ path }) => path);

/** A second dispatcher with one more key. */
const startDispatcherWithKey = (key: EncryptionKey) =>
  webhooks.startReplica({
    env: {
      ...testSettings,
      WEBHOOKS_SECRET_KEYS: [current, older, key].map(toSetting).join(','),
      // The first run may skip a row that the other dispatcher has locked, so the next run must follow soon.
      WEBHOOKS_PRUNE_MS: '50',
      ROLE: 'dispatcher',
    },
  });

async function countUnavailable(): Promise<number> {
  return readMetric('bv_webhooks_secret_unavailable_total');
}

/** Encrypts the secret with a key that no dispatcher has, and publishes a scan. Returns its job id. */
async function queueUndecryptableDelivery(lost: Endpoint, key: EncryptionKey): Promise<string> {
  const before = await countUnavailable();
  await setEncryptedSecret(lost, encryptWith(key, lost));
  const { job_id: jobId } = await publishScan(webhooks, { orgId: lost.orgId });
  await eventually(async () => expect(await countUnavailable()).toBeGreaterThan(before + 1));
  await waitForDelivery(webhooks, lost, ({ status, attempts }) => status === 'pending' && attempts === 0);
  return jobId;
}

test.each([
  ['is missing', testKey('gone', 4), testKey('gone', 4)],
  ['has the id of a wrong key', testKey('k1', 3), testKey('k9', 3)],
])(
  'deliveries wait while the key %s, delay no others, and are sent once it is back',
  async (_, key, restored) => {
    const partner = await webhooks.newPartner();
    const [lost, sound] = [
      await activeEndpoint(webhooks, `${receiver.url}/lost`, partner),
      await activeEndpoint(webhooks, `${receiver.url}/sound`, partner),
    ];
    const jobId = await queueUndecryptableDelivery(lost, key);
    await waitForDelivery(webhooks, sound, ({ status }) => status === 'succeeded');
    expect(pathsOf(jobId)).toEqual(['/sound']);
    const dispatcher = await startDispatcherWithKey(restored);
    try {
      await waitForDelivery(
        webhooks,
        lost,
        ({ status, attempts }) => status === 'succeeded' && attempts === 1,
      );
      // Re-encryption is a separate job, so the delivery does not wait for it.
      await eventually(async () => expect(await readEncryptedSecret(lost)).toMatch(/^k2\./));
    } finally {
      await dispatcher.stop();
    }
  },
);

test('after the loss of a key, the second rotation of the secret releases deliveries', async () => {
  const lost = await activeEndpoint(webhooks, `${receiver.url}/rotated`);
  const jobId = await queueUndecryptableDelivery(lost, testKey('gone', 3));
  const rotate = () => webhooks.as(lost.partnerId, rotateWebhookSecret, { params: { endpointId: lost.id } });
  expect((await rotate()).status).toBe(200);
  const before = await countUnavailable();
  await eventually(async () => expect(await countUnavailable()).toBeGreaterThan(before + 1));
  expect(pathsOf(jobId)).toEqual([]);
  expect((await rotate()).status).toBe(200);
  await waitForDelivery(webhooks, lost, ({ status, attempts }) => status === 'succeeded' && attempts === 1);
});

test('secrets of an endpoint that would receive nothing are not read', async () => {
  const failing = await activeEndpoint(webhooks, `${receiver.url}/failing`);
  await webhooks.pool.query(`update endpoints set status = 'failing' where id = $1`, [failing.id]);
  await setEncryptedSecret(failing, encryptWith(testKey('gone', 3), failing));
  const before = await countUnavailable();
  await publishScan(webhooks, { orgId: failing.orgId });
  await waitForDelivery(webhooks, failing, ({ status }) => status === 'pending');
  await waitUntilPostponed(webhooks, failing);
  expect(await countUnavailable()).toBe(before);
  await webhooks.as(failing.partnerId, deleteWebhookEndpoint, { params: { endpointId: failing.id } });
});

test('secrets of older keys are re-encrypted with the first key, undecryptable ones stay', async () => {
  const aged = await activeEndpoint(webhooks, receiver.url);
  const lost = await activeEndpoint(webhooks, receiver.url);
  const undecryptable = encryptWith(testKey('gone', 3), lost);
  await setEncryptedSecret(lost, undecryptable);
  await setEncryptedSecret(aged, encryptWith(older, aged));
  await eventually(async () => expect(await readEncryptedSecret(aged)).toMatch(/^k2\./));
  expect(createSecretCipher([current]).decrypt(await readEncryptedSecret(aged), aged.id)).toBe(aged.secret);
  expect(await readEncryptedSecret(lost)).toBe(undecryptable);
  await eventually(async () => {
    expect(await readMetric('bv_webhooks_secrets', 'key="missing",')).toBe(1);
    expect(await readMetric('bv_webhooks_secrets', 'key="older",')).toBe(0);
    expect(await readMetric('bv_webhooks_secrets', 'key="current",')).toBeGreaterThan(0);
  });
});

test('more undecryptable secrets than a batch do not stop re-encryption', async () => {
  const { id } = await activeEndpoint(webhooks, receiver.url);
  const rows = Array.from({ length: 450 }, (_, index) => ({
    id: randomUUID(),
    ciphertext: encryptWith(index % 2 === 0 ? older : testKey('gone', 3), { id, secret: 'whsec_old' }),
  }));
  await webhooks.pool.query(
    `insert into endpoint_secrets (id, endpoint_id, ciphertext, created_at, expires_at)
      select r.id, $1, r.ciphertext, now() - interval '2 days', now() - interval '1 day'
      from jsonb_to_recordset($2::jsonb) as r(id uuid, ciphertext text)`,
    [id, JSON.stringify(rows)],
  );
  await eventually(async () => {
    const { rows: found } = await webhooks.pool.query(
      `select split_part(ciphertext, '.', 1) as key, count(*)::int as secrets from endpoint_secrets
        where endpoint_id = $1 and expires_at is not null group by 1 order by 1`,
      [id],
    );
    expect(found).toEqual([
      { key: 'gone', secrets: 225 },
      { key: 'k2', secrets: 225 },
    ]);
  });
});
