import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Pool } from '@bv/postgres';
import { newSecret, type SecretCipher } from '../src/domain/secrets.ts';

/** Inserts active endpoints with these URLs in turn, evenly distributed over new partners. */
export async function insertEndpoints(
  pool: Pool,
  options: { urls: readonly string[]; endpoints: number; partners: number; cipher: SecretCipher },
): Promise<void> {
  const { urls, endpoints, partners, cipher } = options;
  const partnerIds = Array.from({ length: partners }, () => randomUUID());
  await pool.query(`insert into partners (id, status, version) select unnest($1::uuid[]), 'active', 1`, [
    partnerIds,
  ]);
  for (let index = 0; index < endpoints; index += 1) {
    const id = randomUUID();
    await pool.query(
      `insert into endpoints (id, partner_id, url, description, status, verified_at, created_at, updated_at)
      values ($1, $2, $3, '', 'active', now(), now(), now())`,
      [id, partnerIds[index % partners], urls[index % urls.length]],
    );
    await pool.query(
      `insert into endpoint_secrets (id, endpoint_id, ciphertext, created_at) values ($1, $2, $3, now())`,
      [randomUUID(), id, cipher.encrypt(newSecret(), id)],
    );
  }
}

/** Queues this number of deliveries over all endpoints. No dispatcher leases them before `measureDeliveries`. */
export async function insertDeliveries(pool: Pool, count: number): Promise<void> {
  await pool.query(
    `with e as (select id, partner_id, row_number() over () - 1 as place, count(*) over () as total from endpoints),
      planned as (
        select gen_random_uuid() as event_id, e.id as endpoint_id, e.partner_id
        from generate_series(0, $1 - 1) n join e on e.place = n % e.total),
      inserted as (
        insert into events (id, partner_id, type, dedupe_key, body, created_at)
        select event_id, partner_id, 'scan.completed', event_id::text,
          json_build_object('type', 'scan.completed', 'data', repeat('x', 1000)), now() from planned)
    insert into deliveries (id, event_id, endpoint_id, partner_id, event_type, is_ping, status, next_attempt_at,
      created_at, updated_at)
    select gen_random_uuid(), event_id, endpoint_id, partner_id, 'scan.completed', false, 'pending', now(), now(), now()
    from planned`,
    [count],
  );
}

/**
 * Wakes the endpoints and waits until the dispatcher has sent the queued deliveries. Returns the milliseconds. Throws when
 * a first attempt failed, because failures and retries make the duration meaningless.
 */
export async function measureDeliveries(pool: Pool): Promise<number> {
  const startedAt = performance.now();
  await pool.query('update endpoints set next_lease_at = now()');
  for (;;) {
    const { rows } = await pool.query(
      `select exists (select from deliveries where status = 'pending')
        or exists (select from deliveries where status = 'delivering') as busy`,
    );
    if (rows[0].busy === false) break;
    await sleep(10);
  }
  const tookMs = performance.now() - startedAt;
  const { rows } = await pool.query<{ failed: number }>(
    `select count(*)::int as failed from deliveries where status <> 'succeeded' or attempts <> 1`,
  );
  const failed = rows[0]?.failed ?? 0;
  if (failed > 0)
    throw new Error(`${failed} deliveries did not succeed at the first attempt; the result is discarded`);
  return tookMs;
}
