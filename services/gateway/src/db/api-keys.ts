import { execute, many, maybeOne, one } from '@bv/postgres';
import type { Queryable, Transaction } from '@bv/postgres';

export type ApiKeyRow = {
  id: string;
  name: string | null;
  key_prefix: string;
  scopes: ('read' | 'write')[];
  per_minute: number;
  monthly_quota: number | null;
  expires_at: string | null;
  revoked_at: string | null;
  created_at: string;
};

export type NewApiKey = {
  id: string;
  /** In hex. */
  keyHash: string;
  pepperId: number;
  keyPrefix: string;
  name: string | null;
  orgId: string | null;
  partnerId: string | null;
  scopes: string[];
  perMinute: number;
  monthlyQuota: number | null;
  expiresAt: string | null;
};

const columns = 'id, name, key_prefix, scopes, per_minute, monthly_quota, expires_at, revoked_at, created_at';

export async function insertApiKey(tx: Transaction, key: NewApiKey): Promise<ApiKeyRow> {
  return one(tx, {
    name: 'gateway.insert_api_key',
    text: `insert into api_keys (id, key_hash, pepper_id, key_prefix, name, org_id, partner_id, scopes,
             per_minute, monthly_quota, expires_at)
           values ($1, decode($2, 'hex'), $3, $4, $5, $6, $7, $8, $9, $10, $11)
           returning ${columns}`,
    values: [
      key.id,
      key.keyHash,
      key.pepperId,
      key.keyPrefix,
      key.name,
      key.orgId,
      key.partnerId,
      key.scopes,
      key.perMinute,
      key.monthlyQuota,
      key.expiresAt,
    ],
  });
}

/** Active until revoked or expired. The caller holds the organisation's lock. */
export async function countActiveOrgKeys(tx: Transaction, orgId: string): Promise<number> {
  const { count } = await one<{ count: number }>(tx, {
    name: 'gateway.count_active_org_keys',
    text: `select count(*) as count from api_keys
           where org_id = $1 and revoked_at is null and (expires_at is null or expires_at > now())`,
    values: [orgId],
  });
  return count;
}

type KeyPage = { ownerId: string; afterId: string | null; limit: number };

export async function listOrgKeys(db: Queryable, page: KeyPage): Promise<ApiKeyRow[]> {
  return many(db, {
    name: 'gateway.list_org_keys',
    text: `select ${columns} from api_keys
           where org_id = $1 and ($2::uuid is null or id > $2) order by id limit $3`,
    values: [page.ownerId, page.afterId, page.limit],
  });
}

export async function listPartnerKeys(db: Queryable, page: KeyPage): Promise<ApiKeyRow[]> {
  return many(db, {
    name: 'gateway.list_partner_keys',
    text: `select ${columns} from api_keys
           where partner_id = $1 and ($2::uuid is null or id > $2) order by id limit $3`,
    values: [page.ownerId, page.afterId, page.limit],
  });
}

export type KeyOwner = { org_id: string | null; partner_id: string | null; owner_name: string };

export async function findKeyWithOwner(
  db: Queryable,
  keyId: string,
): Promise<(ApiKeyRow & KeyOwner) | undefined> {
  return maybeOne(db, {
    name: 'gateway.find_key_with_owner',
    text: `select ${columns}, org_id, partner_id,
             coalesce((select o.name from org_access o where o.org_id = api_keys.org_id),
               (select p.name from partners p where p.id = api_keys.partner_id)) as owner_name
           from api_keys where id = $1`,
    values: [keyId],
  });
}

/** Revoking again keeps the first time of revocation. */
export async function updateKeyRevoked(db: Queryable, keyId: string): Promise<boolean> {
  const updated = await execute(db, {
    name: 'gateway.update_key_revoked',
    text: 'update api_keys set revoked_at = coalesce(revoked_at, now()) where id = $1',
    values: [keyId],
  });
  return updated === 1;
}

export type KeyUsageRow = {
  key_prefix: string;
  name: string | null;
  scopes: ('read' | 'write')[];
  expires_at: string | null;
  org_id: string | null;
  partner_id: string | null;
  per_minute: number;
  monthly_quota: number | null;
  used: number;
  resets_at: string;
};

/** A key with the requests it was charged in the current month by the clock of the database. */
export async function getKeyUsage(db: Queryable, keyId: string): Promise<KeyUsageRow> {
  return one(db, {
    name: 'gateway.get_key_usage',
    text: `select k.key_prefix, k.name, k.scopes, k.expires_at, k.org_id, k.partner_id, k.per_minute,
             k.monthly_quota, coalesce(q.used, 0) as used,
             (date_trunc('month', now() at time zone 'UTC') + interval '1 month') at time zone 'UTC' as resets_at
           from api_keys k
             left join quota_leases q on q.key_id = k.id
               and q.month = to_char(now() at time zone 'UTC', 'YYYYMM')::int
           where k.id = $1`,
    values: [keyId],
  });
}
