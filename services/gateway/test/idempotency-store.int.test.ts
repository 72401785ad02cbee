import { randomBytes, randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { createIdempotencyStore, type AcquiredKey } from '../src/idempotency/idempotency-store.ts';
import { createResponseCipher } from '../src/idempotency/response-cipher.ts';
import { openGatewayDatabase, type GatewayDatabase } from './gateway-database.ts';

const cipher = createResponseCipher([{ id: 1, key: randomBytes(32) }]);
let database: GatewayDatabase;

beforeAll(async () => {
  database = await openGatewayDatabase({ statementTimeoutMs: 300 });
});
afterAll(() => database.close());

/** Locks the row of the key while the action runs, so that its statements time out like with an unavailable database. */
async function whileUnavailable(key: string, action: () => Promise<void>): Promise<void> {
  const client = await database.pool.connect();
  try {
    await client.query('begin');
    await client.query('select 1 from idempotency_keys where key = $1 for update', [key]);
    await action();
    await client.query('rollback');
  } finally {
    client.release();
  }
}

// No maintenance runs here, so the retry arrives before the pending release is flushed.
test.each([
  ['released', (acquired: AcquiredKey) => acquired.release(), true],
  ['dropped', (acquired: AcquiredKey) => acquired.drop(), false],
  [
    'stored',
    (acquired: AcquiredKey) =>
      acquired.store({ status: 201, contentType: 'application/json', body: Buffer.from('{}') }),
    true,
  ],
])(
  'a key that could not be %s while the database was unavailable does not block the first retry',
  async (_, settle, sameWork) => {
    const { pool, log } = database;
    const idempotency = createIdempotencyStore({ pool, cipher, leaseMs: 600_000, log });
    const request = {
      ownerKind: 'organisation',
      ownerId: randomUUID(),
      key: randomUUID(),
      operation: 'createProperty',
      fingerprint: randomBytes(32),
    };
    const first = await idempotency.acquire(request);
    if (!('acquired' in first)) throw new Error('a new key was not acquired');
    await expect(idempotency.acquire(request)).rejects.toMatchObject({ code: 'idempotency_key_in_flight' });
    await whileUnavailable(request.key, async () => {
      await expect(settle(first.acquired)).rejects.toThrow('statement timeout');
    });

    const retry = await idempotency.acquire(request);
    if (!('acquired' in retry)) throw new Error('the key was not free');
    expect(retry.acquired.operationId === first.acquired.operationId).toBe(sameWork);
    await expect(idempotency.acquire(request)).rejects.toMatchObject({ code: 'idempotency_key_in_flight' });
  },
);

test('a stored response whose encryption key is missing is api_unavailable, and is replayed once the key is back', async () => {
  const { pool, log } = database;
  const other = createResponseCipher([{ id: 2, key: randomBytes(32) }]);
  const request = {
    ownerKind: 'organisation',
    ownerId: randomUUID(),
    key: randomUUID(),
    operation: 'createProperty',
    fingerprint: randomBytes(32),
  };
  const idempotency = createIdempotencyStore({ pool, cipher, leaseMs: 600_000, log });
  const first = await idempotency.acquire(request);
  if (!('acquired' in first)) throw new Error('a new key was not acquired');
  const body = Buffer.from('{}');
  await first.acquired.store({ status: 201, contentType: 'application/json', body });

  const withoutKey = createIdempotencyStore({ pool, cipher: other, leaseMs: 600_000, log });
  await expect(withoutKey.acquire(request)).rejects.toMatchObject({ code: 'api_unavailable', status: 503 });
  expect(await idempotency.acquire(request)).toMatchObject({ replay: { status: 201, body } });
});
