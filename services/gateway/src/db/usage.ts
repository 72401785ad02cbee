import { many, one } from '@bv/postgres';
import type { Queryable } from '@bv/postgres';
import type { KeyOwner } from './api-keys.ts';

export type UsageRow = KeyOwner & {
  id: string;
  key_prefix: string;
  name: string | null;
  monthly_quota: number | null;
  used: number;
};

export type UsagePage = {
  month: number;
  orgId: string | null;
  partnerId: string | null;
  keyName: string | null;
  /** Only keys with a request in the month, or only those without one. Null for all. */
  hasUse: boolean | null;
  afterId: string | null;
  limit: number;
};

/** Keys in order of id with their use of a month. Not prepared, so that the plan follows the filters that are set. */
export async function listUsage(db: Queryable, page: UsagePage): Promise<UsageRow[]> {
  return many(db, {
    name: 'gateway.list_usage',
    text: `select k.id, k.key_prefix, k.name, k.org_id, k.partner_id, coalesce(o.name, p.name) as owner_name,
             k.monthly_quota, coalesce(q.used, 0) as used
           from api_keys k
             left join quota_leases q on q.key_id = k.id and q.month = $1
             left join org_access o on o.org_id = k.org_id
             left join partners p on p.id = k.partner_id
           where ($2::uuid is null or k.id > $2)
             and ($4::uuid is null or k.org_id = $4)
             and ($5::uuid is null or k.partner_id = $5)
             and ($6::text is null or k.name = $6)
             and ($7::boolean is null or (coalesce(q.used, 0) > 0) = $7)
           order by k.id limit $3`,
    values: [page.month, page.afterId, page.limit, page.orgId, page.partnerId, page.keyName, page.hasUse],
    prepare: false,
  });
}

/** The current month by the clock of the database, 202611 for November 2026. */
export async function getMonth(db: Queryable): Promise<number> {
  const { month } = await one<{ month: number }>(db, {
    name: 'gateway.get_month',
    text: `select to_char(now() at time zone 'UTC', 'YYYYMM')::int as month`,
    values: [],
  });
  return month;
}
