import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { eventually } from '@bv/testkit';
import { createIdempotencyStore } from '../src/idempotency/idempotency-store.ts';
import { createResponseCipher } from '../src/idempotency/response-cipher.ts';
import { startMaintenance } from '../src/maintenance.ts';
import { openGatewayDatabase, type GatewayDatabase } from './gateway-database.ts';

const idempotencyKeys = [{ id: 1, key: randomBytes(32) }];
let database: GatewayDatabase;

beforeAll(async () => {
  database = await openGatewayDatabase();
});
afterAll(() => database.close());

async function insertKeys(name: string, { count = 1, completed = '-', created = '0 s', lease = '-1 s' }) {
  await database.pool.query(
    `insert into idempotency_keys (owner_kind, owner_id, key, operation, fingerprint, operation_id, lease_token,
       lease_expires_at, created_at, completed_at)
     select 'organisation', gen_random_uuid(), $1, 'createProperty', '', gen_random_uuid(), gen_random_uuid(),
       now() + $2::interval, now() - $3::interval, now() - nullif($4, '-')::interval
     from generate_series(1, $5)`,
    [name, lease, created, completed, count],
  );
}

test('keys older than 24 hours are deleted, however many, and no others', async () => {
  await insertKeys('answered', { count: 2_500, completed: '24 h 1 s', created: '25 h' });
  await insertKeys('never ended', { created: '24 h 1 s' });
  await insertKeys('answered less than a day ago', { completed: '23 h 59 min', created: '25 h' });
  await insertKeys('begun less than a day ago', { created: '23 h 59 min' });
  await insertKeys('still held', { created: '25 h', lease: '1 min' });
  const { pool, log } = database;
  const idempotency = createIdempotencyStore({
    pool,
    cipher: createResponseCipher(idempotencyKeys),
    leaseMs: 1_000,
    log,
  });
  const maintenance = startMaintenance({ pool, idempotency, log });
  try {
    await eventually(async () => {
      const { rows } = await pool.query('select key from idempotency_keys order by key');
      expect(rows.map(({ key }) => key)).toEqual([
        'answered less than a day ago',
        'begun less than a day ago',
        'still held',
      ]);
    });
  } finally {
    await maintenance.stop();
  }
});
