import {
  BrandDetail,
  CalendarDate,
  compareScores,
  describeComparison,
  describeInformative,
  describePrecision,
  getBrand,
  getPrecision,
  listScores,
  listShareOfVoice,
  maxCompetitorsPerBrand,
  ScoreComparison,
  type ShareOfVoice,
} from '@bv/contract';
import { z } from 'zod';
import { brandId, orgId, toBrandParams } from '../arguments.ts';
import { describeUnits, KnownLimits, listLimits, pick, select, Units } from '../fields.ts';
import { type OperationCalls, Refusal } from '../operation-call.ts';
import { defineTool } from '../tool.ts';
import { ScoreRow } from './scores.ts';

/** 14 days of the brand and the most competitors that it can have: at most 18 pages. */
const maxShareRows = 14 * (1 + maxCompetitorsPerBrand);

const BrandFields = pick(BrandDetail, 'id', 'name', 'domain', 'last_scan_changed_at');
const share = z.number().nullable();
const ShareChange = z.object({
  brand_id: z.string(),
  name: z.string(),
  is_own: z.boolean(),
  last_week: share,
  week_before: share,
  change: share,
  mentions: z.int(),
});

export const brandOverview = defineTool({
  name: 'brand_overview',
  title: 'Brand overview',
  description:
    'How a brand did in the last 7 complete days: score against the 7 before with interval and verdict (is the change real?), share of voice against each competitor, latest figures.',
  input: z.strictObject({
    org_id: orgId,
    brand_id: brandId,
    to: CalendarDate.optional().describe(
      'Last day of the week. Default: yesterday, because today is not complete.',
    ),
  }),
  output: z.object({
    brand: BrandFields,
    summary: z.string(),
    score: pick(ScoreComparison, 'a', 'b', 'difference', 'verdict', 'reasons'),
    share_of_voice: z.array(ShareChange),
    share_of_voice_complete: z.boolean(),
    latest_week: ScoreRow.nullable(),
    units: Units,
    known_limits: KnownLimits,
  }),
  run: async (calls, input) => {
    const params = toBrandParams(input);
    const brand = await calls.call(getBrand, { params });
    const score = await calls.call(compareScores, {
      params,
      query: toWeeks(input.to ?? addDays(calls.today, -1)),
    });
    const { a, b } = score;
    const latest = await calls.list(
      listScores,
      { params, query: { from: b.from, to: b.to, window: '7d' } },
      1,
      (row) => select(ScoreRow, row),
    );
    const window = { from: a.from, to: b.to };
    const shares = await calls.list(
      listShareOfVoice,
      { params, query: window },
      maxShareRows,
      (row) => row,
      Infinity,
    );
    const [latestWeek = null] = latest.rows;
    // Some brands would lack days: no figure is better than a wrong one.
    const changes = shares.has_more ? [] : compareShares(shares.rows, b.from);
    const shareSummary = shares.has_more
      ? `Share of voice is not stated, because the two weeks have more than ${maxShareRows} rows. The tool share_of_voice lists them.`
      : describeShares(changes);
    return {
      brand: select(BrandFields, brand),
      summary: [
        describeComparison(score),
        await readPrecision(calls, params, b.to),
        shareSummary,
        latestWeek && describeInformative(latestWeek),
      ]
        .filter(Boolean)
        .join(' '),
      score,
      share_of_voice: changes,
      share_of_voice_complete: !shares.has_more,
      latest_week: latestWeek,
      units: describeUnits('score', 'difference', 'share_of_voice', 'mention_rate', 'sentiment', 'units'),
      known_limits: listLimits('independent_prompts', 'few_prompts', 'tracked_brands', 'surfaces'),
    };
  },
});

/** How sure the score of the last four weeks is; empty while a scan is being finalised. */
async function readPrecision(
  calls: OperationCalls,
  params: Record<string, string>,
  to: string,
): Promise<string> {
  try {
    return describePrecision(await calls.call(getPrecision, { params, query: { metric: 'score', to } }));
  } catch (error) {
    if (error instanceof Refusal && error.status === 409) return '';
    throw error;
  }
}

/** The week that ends on a day, and the week before. */
function toWeeks(to: string): Record<string, string> {
  return { from_a: addDays(to, -13), to_a: addDays(to, -7), from_b: addDays(to, -6), to_b: to };
}

function addDays(day: string, days: number): string {
  return new Date(Date.parse(day) + days * 86_400_000).toISOString().slice(0, 10);
}

type Change = z.input<typeof ShareChange>;
type Counts = { mentions: number; total: number };

/** Pools the days of each week: mentions of the brand over mentions of all tracked brands. Highest first. */
function compareShares(rows: readonly ShareOfVoice[], weekStart: string): Change[] {
  const brands = Map.groupBy(rows, ({ brand_id }) => brand_id);
  return [...brands.values()]
    .flatMap((days) => {
      const [latest] = days;
      if (latest === undefined) return [];
      const isLastWeek = ({ run_date }: ShareOfVoice): boolean => run_date >= weekStart;
      const last = count(days.filter(isLastWeek));
      const before = count(days.filter((day) => !isLastWeek(day)));
      const [last_week, week_before] = [toShare(last), toShare(before)];
      const change = last_week === null || week_before === null ? null : round(last_week - week_before);
      const { brand_id, name, is_own } = latest;
      return [{ brand_id, name, is_own, last_week, week_before, change, mentions: last.mentions }];
    })
    .toSorted((x, y) => (y.last_week ?? -1) - (x.last_week ?? -1) || (x.brand_id < y.brand_id ? -1 : 1));
}

function count(days: readonly ShareOfVoice[]): Counts {
  const sum = (values: number[]): number => values.reduce((total, value) => total + value, 0);
  return {
    mentions: sum(days.map((day) => day.mentions)),
    total: sum(days.map((day) => day.total_mentions)),
  };
}

const toShare = ({ mentions, total }: Counts): number | null =>
  total === 0 ? null : round((100 * mentions) / total);

const round = (value: number): number => Math.round(value * 100) / 100;

function describeShares(changes: readonly Change[]): string {
  const own = changes.find(({ is_own }) => is_own);
  if (own === undefined || own.last_week === null) return '';
  const place = changes.indexOf(own) + 1;
  const before = own.week_before === null ? '' : ` after ${own.week_before} %`;
  return `Share of voice ${own.last_week} %${before}: place ${place} of ${changes.length} tracked brands. Its change alone is no evidence: compare_scores with metric share_of_voice gives its interval.`;
}
