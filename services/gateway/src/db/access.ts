import { one } from '@bv/postgres';
import type { Pool, Queryable } from '@bv/postgres';
import { createBatcher } from '@bv/resilience';
import type { AccessRow } from '../domain/access.ts';

/** One presented key: its hashes in hex, one for each configured pepper, and the organisation in the path. */
export type AccessLookup = { hashes: readonly string[]; orgId: string | null };

export type AccessReader = { read(lookup: AccessLookup): Promise<AccessRow | undefined> };

/** One query at a time makes the largest batches. A second one may start when the first is slow, so that it does not delay every request. */
const limits = { maxBatchSize: 256, maxInFlight: 2, maxDelayMs: 10 };

/**
 * Reads the access of every request from the database, in batches. A request sees every revocation that was committed
 * before it arrived. Rejects after `timeoutMs`.
 */
export function createAccessReader(pool: Pool, { timeoutMs }: { timeoutMs: number }): AccessReader {
  const read = createBatcher<AccessLookup, AccessRow | undefined>({
    ...limits,
    timeoutMs,
    send: async (lookups) => {
      const rows = await listAccess(pool, lookups);
      const found = new Map(rows.map((row) => [row.lookup, row]));
      return lookups.map((_, lookup) => found.get(lookup));
    },
  });
  return { read };
}

type FoundAccess = AccessRow & { lookup: number };

/**
 * Reads key, owner, organisation and link of many lookups in one statement. `lookup` is the index of the lookup.
 * All rows arrive as one JSON value, because parsing them column by column costs more CPU than the rest of the query
 * (docs/adr/0007-batching-by-event-loop-tick.md).
 */
export async function listAccess(db: Queryable, lookups: readonly AccessLookup[]): Promise<FoundAccess[]> {
  const presented = lookups.flatMap(({ hashes, orgId }, lookup) =>
    hashes.map((hash) => ({ hash, orgId, lookup })),
  );
  const { rows } = await one<{ rows: FoundAccess[] | null }>(db, {
    name: 'gateway.list_access',
    text: `select json_agg(found) as rows from (
             select r.lookup, k.id as key_id, k.key_prefix, k.scopes, k.per_minute, k.monthly_quota,
               k.org_id, k.partner_id, k.revoked_at is not null as revoked,
               coalesce(k.expires_at <= now(), false) as expired, p.status = 'active' as partner_active,
               o.api_access, case when o.org_id is not null then o.deleted_at is not null end as org_deleted,
               l.scope as link_scope, l.external_ref
             from unnest($1::text[], $2::uuid[], $3::int[]) as r (key_hash, org_id, lookup)
             join api_keys k on k.key_hash = decode(r.key_hash, 'hex')
             left join partners p on p.id = k.partner_id
             left join org_access o on o.org_id = coalesce(k.org_id, r.org_id)
             left join partner_links l on l.partner_id = k.partner_id and l.org_id = r.org_id and l.active) as found`,
    values: [
      presented.map(({ hash }) => hash),
      presented.map(({ orgId }) => orgId),
      presented.map(({ lookup }) => lookup),
    ],
  });
  return rows ?? [];
}
