import { currentMethodVersion } from '@bv/contract';
import type { Queryable } from '@bv/postgres';
import {
  type DayBrandSums,
  type DaySums,
  listDayBrandSums,
  listDaySums,
  listEarlierMethods,
  setWorkMem,
} from '../db/day-sums.ts';
import { updateExperimentsOutdated } from '../db/experiments.ts';
import { findKeptDays } from '../db/retention.ts';
import { type ScoreValues, upsertScores } from '../db/scores.ts';
import { deleteSharesOfDay, insertShares, type ShareValues } from '../db/share-of-voice.ts';
import { computeRates, computeShares, percent, type UnitSums } from '../domain/formulas.ts';
import { joinNumbers, listDayNumbers } from '../domain/method-versions.ts';
import { isUnitKept } from '../domain/retention.ts';
import { scoreWindows } from './score-windows.ts';

const cellKey = (row: { country: string; platform: string }): string => `${row.country}/${row.platform}`;

function toShareRows(sums: DayBrandSums[]): ShareValues[] {
  const cells = [...Map.groupBy(sums, cellKey).values()];
  return cells.flatMap((cell) => {
    const brands = cell.map((row) => ({
      row,
      brandId: row.brand_id,
      unitsAnswered: row.units_answered,
      mentions: row.mentions,
      positionSum: row.position_sum,
    }));
    return computeShares(brands).map((share) => ({
      platform: share.row.platform,
      country: share.row.country,
      brand_id: share.brandId,
      name: share.row.name,
      domain: share.row.domain,
      is_own: share.row.is_own,
      share_of_voice: share.shareOfVoice,
      mentions: share.mentions,
      total_mentions: share.totalMentions,
      units_answered: share.unitsAnswered,
      mention_rate: share.mentionRate,
      average_position: share.averagePosition,
      rank: share.rank,
    }));
  });
}

const toUnitSums = (row: DaySums): UnitSums => ({
  unitsAnswered: row.units_answered,
  unitsMentioned: row.units_mentioned,
  unitsCited: row.units_cited,
  unitsCitationsUnknown: row.units_citations_unknown,
  unitScoreSum: row.unit_score_sum,
  positionSum: row.position_sum,
  sentimentSum: row.sentiment_sum,
  sentimentCount: row.sentiment_count,
});

/** `numbers`: of the methods of the series. */
function toScoreRow(
  series: DaySums,
  { cells, ownShare, numbers }: { cells: DaySums[]; ownShare: number | null; numbers: string[] },
): ScoreValues {
  const rates = computeRates(toUnitSums(series));
  return {
    country: series.country,
    score: rates.score,
    mention_rate: rates.mentionRate,
    mention_rate_low: rates.mentionRateLow,
    mention_rate_high: rates.mentionRateHigh,
    average_position: rates.averagePosition,
    sentiment: rates.sentiment,
    citation_rate: rates.citationRate,
    share_of_voice: ownShare,
    units_total: series.units_total,
    units_answered: series.units_answered,
    units_mentioned: series.units_mentioned,
    units_cited: series.units_cited,
    units_citations_unknown: series.units_citations_unknown,
    units_mentioned_cited: series.units_mentioned_cited,
    units_informative: series.units_read === 0 ? null : series.units_informative,
    informative_rate: percent(series.units_informative, series.units_read),
    position_sum: series.position_sum,
    sentiment_sum: series.sentiment_sum,
    sentiment_count: series.sentiment_count,
    platforms: cells.map((cell) => {
      const { score, mentionRate } = computeRates(toUnitSums(cell));
      return {
        platform: cell.platform,
        score,
        mention_rate: mentionRate,
        units_answered: cell.units_answered,
      };
    }),
    method_version: joinNumbers(numbers, series.sentiments_by_llm),
  };
}

/**
 * Recomputes a brand's day from its latest units: every series of scores, every cell of share of voice, and the windows
 * that contain the day. Idempotent.
 * The caller holds the lock of the brand's token row. A day whose units are deleted keeps its scores.
 */
export async function scoreDay(db: Queryable, brandId: string, runDate: string): Promise<void> {
  if (!isUnitKept(await findKeptDays(db, brandId), runDate)) return;
  await setWorkMem(db);
  const earlier = await listEarlierMethods(db, { brandId, runDate, version: currentMethodVersion });
  const sums = await listDaySums(db, brandId, runDate);
  const shares = toShareRows(await listDayBrandSums(db, brandId, runDate));
  const ownShares = new Map(
    shares.filter((row) => row.is_own).map((row) => [cellKey(row), row.share_of_voice]),
  );
  const scores = sums
    .filter((row) => row.platform === '' && row.units_total > 0)
    .map((series) =>
      toScoreRow(series, {
        cells: sums
          .filter((cell) => cell.country === series.country && cell.platform !== '')
          .sort((a, b) => (a.platform < b.platform ? -1 : 1)),
        ownShare: ownShares.get(cellKey(series)) ?? null,
        numbers: listDayNumbers(earlier, series.country),
      }),
    );
  await upsertScores(db, brandId, runDate, scores);
  await deleteSharesOfDay(db, brandId, runDate, sums);
  await insertShares(db, brandId, runDate, shares);
  await scoreWindows(db, brandId, runDate);
  await updateExperimentsOutdated(db, brandId, runDate);
}
