import type { EventData, scanScored } from '@bv/events';
import type { Transaction } from '@bv/postgres';
import { findBrand, updateFinalising } from '../db/brands.ts';
import { findKeptDays } from '../db/retention.ts';
import { listNewestDays, listScoresOfDay, type NewestDay, type ScoreRow } from '../db/scores.ts';
import {
  countUnitsOfScan,
  findScan,
  type ScanRow,
  updateScanFinalising,
  updateScanScored,
} from '../db/scans.ts';
import { computeChange } from '../domain/formulas.ts';
import { isUnitKept } from '../domain/retention.ts';
import { changeBrandToken, publishScanScored } from '../publish/publish.ts';
import { type EvaluatedChanges, evaluateChanges } from './evaluate-changes.ts';
import { scoreDay } from './score-day.ts';

type Scored = EventData<typeof scanScored>;

/**
 * Higher than the number of markets. Imports may add any number of other markets, with names of up to 1 KiB. This limit
 * keeps the event below the maximum message size of 1 MB.
 */
const maxSeries = 300;

const toMovement = (value: number | null, previous: number | null) => ({
  value,
  previous,
  change: computeChange(value, previous),
});

const toCountry = (country: string): string | null => (country === '' ? null : country);

const toSeries = (row: ScoreRow, { verdicts }: EvaluatedChanges): Scored['series'][number] => ({
  country: toCountry(row.country),
  score: toMovement(row.score, row.previous_score),
  sentiment: toMovement(row.sentiment, row.previous_sentiment),
  share_of_voice: row.share_of_voice,
  change_verdict: verdicts.get(row.country) ?? 'not_comparable',
});

const toNewestDay = (day: NewestDay): Scored['newest_days'][number] => ({
  country: toCountry(day.country),
  run_date: day.run_date,
  score: { value: day.score, earlier: day.earlier_score },
  sentiment: { value: day.sentiment, earlier: day.earlier_sentiment },
});

function toScoredData(
  scan: ScanRow & { status: 'completed' | 'partial' },
  brand: Scored['brand'],
  changedAt: string,
  { rows, newestDays, changes }: { rows: ScoreRow[]; newestDays: NewestDay[]; changes: EvaluatedChanges },
): Scored {
  const completedAt = scan.completed_at ?? changedAt;
  return {
    job_id: scan.job_id,
    org_id: scan.org_id,
    brand_id: scan.brand_id,
    brand,
    trigger: scan.trigger,
    status: scan.status,
    run_date: scan.run_date,
    queued_at: scan.queued_at,
    started_at: scan.started_at ?? completedAt,
    completed_at: completedAt,
    units: {
      total: scan.units_total,
      answered: scan.units_answered,
      no_answer: scan.units_no_answer,
      failed: scan.units_failed,
    },
    platforms: scan.platforms as Scored['platforms'],
    countries: scan.countries,
    changed_at: changedAt,
    series: rows.map((row) => toSeries(row, changes)),
    newest_days: newestDays.map(toNewestDay),
    comparisons: changes.comparisons,
  };
}

const hasEnded = (scan: ScanRow): scan is ScanRow & { status: 'completed' | 'partial' } =>
  scan.status === 'completed' || scan.status === 'partial';

/**
 * Scores the day of a scan if the scan has ended and all its finalised units are stored. An ended scan that still waits
 * for units keeps the brand's finalisation mark open. The caller holds the lock of the brand's token row, so the writers
 * of the last unit and of the scan's end run one after the other, and the later one sees both.
 */
export async function scoreScanIfComplete(tx: Transaction, jobId: string): Promise<void> {
  const scan = await findScan(tx, jobId);
  if (scan === undefined || !hasEnded(scan)) return;
  // Its units are deleted: the scores that the day has stay, and nothing is left to wait for.
  if (!isUnitKept(await findKeptDays(tx, scan.brand_id), scan.run_date)) return;
  // A unit beyond the scan's count: update the scores, as the lists show the unit, but publish no second event.
  if (scan.scored_at !== null) return scoreDay(tx, scan.brand_id, scan.run_date);
  const stored = await countUnitsOfScan(tx, scan);
  if (stored < scan.units_answered + scan.units_no_answer) {
    await updateScanFinalising(tx, jobId);
    await updateFinalising(tx, scan.brand_id);
    return;
  }
  await scoreDay(tx, scan.brand_id, scan.run_date);
  await updateScanScored(tx, jobId);
  await updateFinalising(tx, scan.brand_id);
  const { changedAt } = await changeBrandToken(tx, { id: scan.brand_id, orgId: scan.org_id });
  const brand = await findBrand(tx, scan.brand_id);
  // The catalog has neither published the brand nor replied. The consumer retries the message later.
  if (brand === undefined) throw new Error(`brand ${scan.brand_id} is not projected yet`);
  const { brand_id: brandId, run_date: runDate, countries } = scan;
  const rows = await listScoresOfDay(tx, { brandId, runDate, countries, limit: maxSeries });
  const newestDays = await listNewestDays(tx, brandId, { countries, limit: maxSeries });
  const changes = await evaluateChanges(
    tx,
    scan,
    rows.map(({ country }) => country),
  );
  await publishScanScored(
    tx,
    toScoredData(
      scan,
      {
        id: brand.id,
        name: brand.name,
        domain: brand.domain,
        external_ref: brand.external_ref,
      },
      changedAt,
      { rows, newestDays, changes },
    ),
  );
}
