import type { DateWindow } from '@bv/contract';
import { execute, many, maybeOne, one, type Queryable } from '@bv/postgres';

export type ScanRow = {
  job_id: string;
  org_id: string;
  brand_id: string;
  status: 'queued' | 'running' | 'completed' | 'partial' | 'failed' | 'cancelled';
  trigger: 'manual' | 'scheduled';
  run_date: string;
  units_total: number;
  units_answered: number;
  units_no_answer: number;
  units_failed: number;
  platforms: string[];
  countries: string[];
  queued_at: string;
  started_at: string | null;
  completed_at: string | null;
  scored_at: string | null;
};

const columns = `job_id, org_id, brand_id, status, trigger, run_date, units_total, units_answered, units_no_answer,
  units_failed, platforms, countries, queued_at, started_at, completed_at`;

/** Units of a scan in a market on a platform. */
export type MarketUnits = { country: string; platform: string; total: number; failed: number };

/** Stores a job's state if it is newer than the stored one. Returns the number of rows written: 0 or 1. */
export function upsertScan(
  db: Queryable,
  scan: Omit<ScanRow, 'scored_at'> & { units_by_market?: MarketUnits[] | undefined; version: number },
): Promise<number> {
  return execute(db, {
    name: 'results.upsert_scan',
    text: `insert into scans (${columns}, units_by_market, version)
           values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17)
           on conflict (job_id) do update set
             status = excluded.status, units_total = excluded.units_total, units_answered = excluded.units_answered,
             units_no_answer = excluded.units_no_answer, units_failed = excluded.units_failed,
             platforms = excluded.platforms, countries = excluded.countries, started_at = excluded.started_at,
             completed_at = excluded.completed_at, units_by_market = excluded.units_by_market,
             version = excluded.version
           where scans.version < excluded.version`,
    values: [
      scan.job_id,
      scan.org_id,
      scan.brand_id,
      scan.status,
      scan.trigger,
      scan.run_date,
      scan.units_total,
      scan.units_answered,
      scan.units_no_answer,
      scan.units_failed,
      scan.platforms,
      scan.countries,
      scan.queued_at,
      scan.started_at,
      scan.completed_at,
      scan.units_by_market === undefined ? null : JSON.stringify(scan.units_by_market),
      scan.version,
    ],
  });
}

export function findScan(db: Queryable, jobId: string): Promise<ScanRow | undefined> {
  return maybeOne<ScanRow>(db, {
    name: 'results.find_scan',
    text: `select ${columns}, scored_at from scans where job_id = $1`,
    values: [jobId],
  });
}

/** Units of the ended scans of a window. Both are '' for scans whose units by market and platform are not known. */
export type ScannedUnits = MarketUnits & { brand_id: string };

/** Units of the ended scans of a window that are scored, or that failed and have no units to score. */
export function listScannedUnits(
  db: Queryable,
  brandIds: readonly string[],
  { from, to }: DateWindow,
): Promise<ScannedUnits[]> {
  return many<ScannedUnits>(db, {
    name: 'results.list_scanned_units',
    text: `select s.brand_id, m.country, m.platform, sum(m.total) as total, sum(m.failed) as failed
           from scans s cross join lateral (
             select country, platform, total, failed
             from jsonb_to_recordset(s.units_by_market) as r (country text, platform text, total int, failed int)
             union all
             select '', '', s.units_total, s.units_failed where s.units_by_market is null) m
           where s.brand_id = any ($1) and s.run_date between $2 and $3
             and (s.scored_at is not null or s.status = 'failed')
           group by s.brand_id, m.country, m.platform`,
    values: [brandIds, from, to],
  });
}

/** Number of stored units of a job. */
export async function countUnitsOfScan(
  db: Queryable,
  scan: Pick<ScanRow, 'job_id' | 'brand_id'>,
): Promise<number> {
  const row = await one<{ count: number }>(db, {
    name: 'results.count_units_of_scan',
    text: 'select count(*) as count from units where brand_id = $1 and job_id = $2',
    values: [scan.brand_id, scan.job_id],
  });
  return row.count;
}

/** Sets the finalisation mark of an ended scan that waits for units. The mark expires after one minute. */
export function updateScanFinalising(db: Queryable, jobId: string): Promise<number> {
  return execute(db, {
    name: 'results.update_scan_finalising',
    text: `update scans set finalising_until = clock_timestamp() + interval '60 seconds' where job_id = $1`,
    values: [jobId],
  });
}

export function updateScanScored(db: Queryable, jobId: string): Promise<number> {
  return execute(db, {
    name: 'results.update_scan_scored',
    text: 'update scans set scored_at = now(), finalising_until = null where job_id = $1',
    values: [jobId],
  });
}
