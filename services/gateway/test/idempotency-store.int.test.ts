import { randomBytes, randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { createIdempotencyStore, type HeldClaim } from '../src/idempotency/idempotency-store.ts';
import { createAnswerSeal } from '../src/idempotency/sealed-answers.ts';
import { openGatewayDatabase, type GatewayDatabase } from './gateway-database.ts';

const seal = createAnswerSeal([{ id: 1, key: randomBytes(32) }]);
let database: GatewayDatabase;

beforeAll(async () => {
  database = await openGatewayDatabase({ statementTimeoutMs: 300 });
});
afterAll(() => database.close());

/** No statement on the key's row ends in its time while this runs: a database that is away for a while. */
async function whileAway(key: string, action: () => Promise<void>): Promise<void> {
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

// Nothing pays in the background here: what the retry meets is what it would in the half second before that.
test.each([
  ['released', (held: HeldClaim) => held.release(), true],
  ['dropped', (held: HeldClaim) => held.drop(), false],
  [
    'stored',
    (held: HeldClaim) =>
      held.store({ status: 201, contentType: 'application/json', body: Buffer.from('{}') }),
    true,
  ],
])(
  'a claim that could not be %s while the database was away is not in the way of the first retry',
  async (_, settle, sameWork) => {
    const { pool, log } = database;
    const idempotency = createIdempotencyStore({ pool, seal, leaseMs: 600_000, log });
    const request = {
      ownerKind: 'organisation',
      ownerId: randomUUID(),
      key: randomUUID(),
      operation: 'createProperty',
      fingerprint: randomBytes(32),
    };
    const first = await idempotency.claim(request);
    if (!('held' in first)) throw new Error('a new key was not claimed');
    await expect(idempotency.claim(request)).rejects.toMatchObject({ code: 'idempotency_key_in_flight' });
    await whileAway(request.key, async () => {
      await expect(settle(first.held)).rejects.toThrow('statement timeout');
    });

    const retry = await idempotency.claim(request);
    if (!('held' in retry)) throw new Error('the key was not free');
    expect(retry.held.operationId === first.held.operationId).toBe(sameWork);
    await expect(idempotency.claim(request)).rejects.toMatchObject({ code: 'idempotency_key_in_flight' });
  },
);

test('a stored response whose encryption key is missing is api_unavailable, and is replayed once the key is back', async () => {
  const { pool, log } = database;
  const other = createAnswerSeal([{ id: 2, key: randomBytes(32) }]);
  const request = {
    ownerKind: 'organisation',
    ownerId: randomUUID(),
    key: randomUUID(),
    operation: 'createProperty',
    fingerprint: randomBytes(32),
  };
  const idempotency = createIdempotencyStore({ pool, seal, leaseMs: 600_000, log });
  const first = await idempotency.claim(request);
  if (!('held' in first)) throw new Error('a new key was not claimed');
  const body = Buffer.from('{}');
  await first.held.store({ status: 201, contentType: 'application/json', body });

  const withoutKey = createIdempotencyStore({ pool, seal: other, leaseMs: 600_000, log });
  await expect(withoutKey.claim(request)).rejects.toMatchObject({ code: 'api_unavailable', status: 503 });
  expect(await idempotency.claim(request)).toMatchObject({ replay: { status: 201, body } });
});
