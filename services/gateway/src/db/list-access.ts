import { one } from '@bv/postgres';
import type { Queryable } from '@bv/postgres';
import type { AccessRow } from '../domain/access.ts';

/** One presented key: its hashes in hex, under each pepper in use, and the organisation in the path. */
export type AccessLookup = { hashes: readonly string[]; orgId: string | null };

/**
 * Key, owner, organisation and link of many lookups in one statement; `lookup` is the index of the lookup. The rows
 * come as one JSON text: read column by column they cost the edge more than all the rest of the query.
 */
export async function listAccess(
  db: Queryable,
  lookups: readonly AccessLookup[],
): Promise<(AccessRow & { lookup: number })[]> {
  const presented = lookups.flatMap(({ hashes, orgId }, lookup) =>
    hashes.map((hash) => ({ hash, orgId, lookup })),
  );
  const { rows } = await one<{ rows: (AccessRow & { lookup: number })[] }>(db, {
    name: 'list-access',
    text: `select coalesce(json_agg(found), '[]') as rows from (
             select r.lookup, k.id as key_id, k.key_prefix, k.scopes, k.per_minute, k.monthly_quota,
               k.org_id, k.partner_id, k.revoked_at is not null as revoked,
               coalesce(k.expires_at <= now(), false) as expired,
               p.status = 'active' as partner_active, o.api_access,
               case when o.org_id is null then null else o.deleted_at is not null end as org_deleted,
               l.scope as link_scope, l.external_ref
             from unnest($1::text[], $2::uuid[], $3::int[]) as r (key_hash, org_id, lookup)
             join api_keys k on k.key_hash = decode(r.key_hash, 'hex')
             left join partners p on p.id = k.partner_id
             left join org_access o on o.org_id = coalesce(k.org_id, r.org_id)
             left join partner_links l on l.partner_id = k.partner_id and l.org_id = r.org_id and l.active
           ) as found`,
    values: [
      presented.map(({ hash }) => hash),
      presented.map(({ orgId }) => orgId),
      presented.map(({ lookup }) => lookup),
    ],
  });
  return rows;
}
