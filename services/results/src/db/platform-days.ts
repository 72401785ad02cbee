import type { DateWindow, PlatformId } from '@bv/contract';
import { execute, many, one, type Queryable } from '@bv/postgres';
import type { DriftedDay, PlatformShape } from '../domain/platform-drift.ts';

/** Answers of one length. `step` is 50 times its natural logarithm, so that lengths of a step differ by 2 %. */
export type AnswerCount = Pick<PlatformShape, 'units' | 'answered' | 'sourced' | 'unresolved' | 'unnamed'> & {
  platform: PlatformId;
  step: number | null;
};

type BrandDay = { brandId: string; runDate: string };

/** Counts the units of scans. Imported units say nothing of what platforms answer now. */
export function listAnswerCounts(db: Queryable, { brandId, runDate }: BrandDay): Promise<AnswerCount[]> {
  return many<AnswerCount>(db, {
    name: 'results.list_answer_counts',
    text: `select platform, round(50 * ln(nullif(octet_length(answer_text), 0)::float8))::int as step,
             count(*) as units,
             count(*) filter (where outcome = 'answered') as answered,
             count(*) filter (where outcome = 'answered' and s.cited) as sourced,
             count(*) filter (where outcome = 'answered' and sources_unresolved > 0) as unresolved,
             count(*) filter (where outcome = 'answered' and model is null) as unnamed
           from units u
             left join lateral (
               select cited from unit_sources where own_brand_id = $1 and unit_id = u.id and cited limit 1) s on true
           where brand_id = $1 and run_date = $2 and job_id is not null
           group by 1, 2`,
    values: [brandId, runDate],
  });
}

/** How many answers of a day cite a domain. */
export function listCitedDomains(
  db: Queryable,
  { brandId, runDate }: BrandDay,
): Promise<{ platform: PlatformId; domain: string; units: number }[]> {
  return many(db, {
    name: 'results.list_cited_domains',
    text: `select platform, domain, sum(units_cited) as units from source_days
           where brand_id = $1 and run_date = $2 group by platform, domain`,
    values: [brandId, runDate],
  });
}

export async function listOwnBrandIds(db: Queryable): Promise<string[]> {
  const rows = await many<{ id: string }>(db, {
    name: 'results.list_own_brand_ids',
    text: 'select id from brands where is_own',
    values: [],
  });
  return rows.map(({ id }) => id);
}

export async function findLastMeasuredDay(db: Queryable): Promise<string | null> {
  const row = await one<{ run_date: string | null }>(db, {
    name: 'results.find_last_measured_day',
    text: 'select max(run_date) as run_date from platform_days',
    values: [],
  });
  return row.run_date;
}

type PlatformDay = PlatformShape & DriftedDay;

export function listPlatformDays(db: Queryable, { from, to }: DateWindow): Promise<PlatformDay[]> {
  return many<PlatformDay>(db, {
    name: 'results.list_platform_days',
    text: 'select * from platform_days where run_date between $1 and $2',
    values: [from, to],
  });
}

export function listDriftedDays(db: Queryable, { from, to }: DateWindow): Promise<DriftedDay[]> {
  return many<DriftedDay>(db, {
    name: 'results.list_drifted_days',
    text: `select run_date, platform, drift from platform_days
           where run_date between $1 and $2 and drift <> '{}' order by run_date, platform`,
    values: [from, to],
  });
}

/** Stores the platforms of a day. If another process has stored them, nothing changes. */
export function insertPlatformDays(db: Queryable, days: readonly PlatformDay[]): Promise<number> {
  return execute(db, {
    name: 'results.insert_platform_days',
    text: `insert into platform_days select * from jsonb_populate_recordset(null::platform_days, $1)
           on conflict do nothing`,
    values: [JSON.stringify(days)],
  });
}
