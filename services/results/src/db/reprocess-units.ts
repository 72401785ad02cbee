import { execute, many, one, type Queryable } from '@bv/postgres';
import type { BrandDay } from './reprocess-days.ts';
import type { Lease } from './reprocess-leases.ts';

/** An answered unit with its text. `brands` is the JSON of its stored brands, which a thread parses. */
export type AnswerRow = {
  id: string;
  brand_id: string;
  xmin: string;
  finalized_at: string;
  answer_text: string;
  answer_truncated: boolean;
  sentiment_method: 'lexicon' | 'llm' | null;
  mention_method: 'words' | 'words+llm' | null;
  brands: string;
  cited_domains: string[];
};

/**
 * Units with a text that the lease has not read. `offset 0` keeps a probe for each unit: planned while the table is almost
 * empty, a join would read all units of the lease.
 */
const unreadUnits = `units u
  where u.brand_id = $1 and u.run_date = $2 and u.outcome = 'answered' and u.answer_text is not null
    and not exists (
      select from reprocess_units s
      where s.job_id = $3 and s.lease_token = $4 and s.unit_id = u.id and s.unit_xmin = u.xmin offset 0)`;

type UnreadPage = { after: { finalized_at: string; id: string } | null; limit: number };

/** A page of the units of a day that the lease has not read. */
export function listUnreadAnswers(
  db: Queryable,
  { jobId, token }: Lease,
  { brandId, runDate }: BrandDay,
  { after, limit }: UnreadPage,
): Promise<AnswerRow[]> {
  return many<AnswerRow>(db, {
    name: 'results.list_unread_answers',
    prepare: false,
    text: `select page.*, b.brands, coalesce(s.domains, '{}') as cited_domains
           from (
             select u.id, u.brand_id, u.xmin::text as xmin, u.finalized_at, u.answer_text, u.answer_truncated,
               u.sentiment_method, u.mention_method
             from ${unreadUnits} and ($5::timestamptz is null or (u.finalized_at, u.id) < ($5, $6::uuid))
             order by u.finalized_at desc, u.id desc limit $7
           ) page
           cross join lateral (
             select coalesce(jsonb_agg(to_jsonb(b) - '{own_brand_id,unit_id,ordinal}'::text[] order by b.ordinal), '[]')::text
               as brands
             from unit_brands b where b.own_brand_id = $1 and b.unit_id = page.id
           ) b
           cross join lateral (
             select array_agg(distinct domain) as domains from unit_sources
             where own_brand_id = $1 and unit_id = page.id and cited
           ) s
           order by page.finalized_at desc, page.id desc`,
    values: [brandId, runDate, jobId, token, after?.finalized_at ?? null, after?.id ?? null, limit],
  });
}

export async function hasUnreadUnits(
  db: Queryable,
  { jobId, token }: Lease,
  { brandId, runDate }: BrandDay,
): Promise<boolean> {
  const row = await one<{ has: boolean }>(db, {
    name: 'results.has_unread_units',
    prepare: false,
    text: `select exists (select from ${unreadUnits}) as has`,
    values: [brandId, runDate, jobId, token],
  });
  return row.has;
}

/** A unit that was read. `replacement` is the JSON of what replaces its brands; null if they stay. */
export type ReadUnit = {
  unit_id: string;
  unit_xmin: string;
  replacement: string | null;
  hash_before: string | null;
  hash_after: string | null;
};

/** Stores what was read. Returns false if the lease was lost: nothing is stored. */
export async function insertReadUnits(
  db: Queryable,
  { jobId, token }: Lease,
  units: readonly ReadUnit[],
): Promise<boolean> {
  const inserted = await execute(db, {
    name: 'results.insert_read_units',
    text: `insert into reprocess_units (job_id, lease_token, unit_id, unit_xmin, replacement, hash_before, hash_after)
           select $1, $2, unit_id, unit_xmin::xid, replacement::jsonb, hash_before, hash_after
           from unnest($3::uuid[], $4::text[], $5::text[], $6::text[], $7::text[])
             as r (unit_id, unit_xmin, replacement, hash_before, hash_after)
           where exists (
             select from reprocess_jobs where id = $1 and lease_token = $2 and status = 'running')
           on conflict (job_id, lease_token, unit_id) do update set
             unit_xmin = excluded.unit_xmin, replacement = excluded.replacement,
             hash_before = excluded.hash_before, hash_after = excluded.hash_after`,
    values: [
      jobId,
      token,
      units.map((unit) => unit.unit_id),
      units.map((unit) => unit.unit_xmin),
      units.map((unit) => unit.replacement),
      units.map((unit) => unit.hash_before),
      units.map((unit) => unit.hash_after),
    ],
  });
  return inserted === units.length;
}

/** Units of a brand that still are as a lease read them. */
const readUnits = `reprocess_units s join units u on u.brand_id = $3 and u.id = s.unit_id and u.xmin = s.unit_xmin
  where s.job_id = $1 and s.lease_token = $2`;

/** The number of units read, and whether the own brand is mentioned in other units than before. */
export function countReadUnits(
  db: Queryable,
  { jobId, token }: Lease,
  brandId: string,
): Promise<{ read: number; moves_mentions: boolean }> {
  return one(db, {
    name: 'results.count_read_units',
    text: `select count(*) as read,
             coalesce(bool_or((s.replacement ->> 'mentioned')::boolean <> u.mentioned), false) as moves_mentions
           from ${readUnits}`,
    values: [jobId, token, brandId],
  });
}

/** A page of the replacements, by unit. */
export function listReplacements(
  db: Queryable,
  { jobId, token }: Lease,
  { brandId, after, limit }: { brandId: string; after: string | null; limit: number },
): Promise<{ unit_id: string; replacement: unknown }[]> {
  return many(db, {
    name: 'results.list_replacements',
    text: `select s.unit_id, s.replacement from ${readUnits} and s.replacement is not null
             and ($4::uuid is null or s.unit_id > $4)
           order by s.unit_id limit $5`,
    values: [jobId, token, brandId, after, limit],
  });
}

/**
 * Records the units that differ. Clients see a change unless the hash after starts with the hash before. Returns by how
 * much the number of changed units grows: negative where units are again as they were before the job.
 */
export async function upsertReprocessChanges(
  db: Queryable,
  { jobId, token }: Lease,
  brandId: string,
): Promise<number> {
  const row = await one<{ growth: number }>(db, {
    name: 'results.upsert_reprocess_changes',
    text: `with replaced as (
             select s.unit_id, s.hash_before, s.hash_after from ${readUnits} and s.replacement is not null
           ), known as (
             select unit_id, not starts_with(hash_after, hash_before) as is_changed from reprocess_changes
             where job_id = $1 and unit_id in (select unit_id from replaced)
           ), written as (
             insert into reprocess_changes as c (job_id, unit_id, hash_before, hash_after)
             select $1, unit_id, hash_before, hash_after from replaced
             where hash_before <> hash_after or unit_id in (select unit_id from known)
             on conflict (job_id, unit_id) do update set hash_after = excluded.hash_after
             returning not starts_with(c.hash_after, c.hash_before) as is_changed
           )
           select (select count(*) from written where is_changed) - (select count(*) from known where is_changed)
             as growth`,
    values: [jobId, token, brandId],
  });
  return row.growth;
}

/** Deletes what leases up to this one have read. */
export function deleteReadUnits(db: Queryable, { jobId, token }: Lease): Promise<number> {
  return execute(db, {
    name: 'results.delete_read_units',
    text: 'delete from reprocess_units where job_id = $1 and lease_token <= $2',
    values: [jobId, token],
  });
}

export function deleteReprocessChanges(db: Queryable, jobId: string, limit: number): Promise<number> {
  return execute(db, {
    name: 'results.delete_reprocess_changes',
    text: `delete from reprocess_changes where ctid = any (array(
             select ctid from reprocess_changes where job_id = $1 limit $2))`,
    values: [jobId, limit],
  });
}

/** Deletes rows of ended jobs whose worker died before it did. */
export async function deleteRowsOfEndedJobs(db: Queryable, limit: number): Promise<number> {
  const units = await execute(db, {
    name: 'results.delete_old_reprocess_units',
    text: `delete from reprocess_units where ctid = any (array(
             select r.ctid from reprocess_jobs j join reprocess_units r on r.job_id = j.id
             where j.completed_at is not null limit $1))`,
    values: [limit],
  });
  const changes = await execute(db, {
    name: 'results.delete_old_reprocess_changes',
    text: `delete from reprocess_changes where ctid = any (array(
             select r.ctid from reprocess_jobs j join reprocess_changes r on r.job_id = j.id
             where j.completed_at is not null limit $1))`,
    values: [limit],
  });
  return units + changes;
}
