import {
  compareScores,
  describeComparison,
  getMethodology,
  listScores,
  listShareOfVoice,
  Methodology,
  Score,
  ScoreComparison,
  ShareOfVoice,
} from '@bv/contract';
import { z } from 'zod';
import { brandId, filters, maxRows, orgId, toBrandParams } from '../arguments.ts';
import { describeUnits, hasMore, KnownLimits, listLimits, pick, select, Units } from '../fields.ts';
import { defineTool } from '../tool.ts';

export const ScoreRow = pick(
  Score,
  'run_date',
  'score',
  'change',
  'mention_rate',
  'mention_rate_low',
  'mention_rate_high',
  'average_position',
  'sentiment',
  'citation_rate',
  'share_of_voice',
  'units_answered',
  'units_informative',
  'informative_rate',
  'units_citations_unknown',
  'units_effective',
  'prompts_measured',
  'model_changed',
  'method_version',
);

const scoreQuery = listScores.query.shape;

export const scoreHistoryTool = defineTool({
  name: 'score_history',
  title: 'Score history',
  description:
    'Scores of a brand by day, newest first. Use window 7d or 28d for a trend: single days vary by chance.',
  input: z.strictObject({
    org_id: orgId,
    brand_id: brandId,
    from: filters.from,
    to: filters.to,
    country: filters.country,
    window: scoreQuery.window.describe('Days that a row pools.'),
    max_rows: maxRows(366, 30),
  }),
  output: z.object({ scores: z.array(ScoreRow), has_more: hasMore, units: Units, known_limits: KnownLimits }),
  run: async (calls, { max_rows, org_id, brand_id, ...query }) => {
    const params = toBrandParams({ org_id, brand_id });
    const { rows, has_more } = await calls.list(listScores, { params, query }, max_rows, (row) =>
      select(ScoreRow, row),
    );
    const names = [
      'score',
      'mention_rate',
      'informative_rate',
      'sentiment',
      'citation_rate',
      'share_of_voice',
      'average_position',
    ] as const;
    return {
      scores: rows,
      has_more,
      units: describeUnits(...names, 'units'),
      known_limits: listLimits('day_bounds', 'previous_day', 'few_prompts'),
    };
  },
});

const compareQuery = compareScores.query.shape;

export const compareScoresTool = defineTool({
  name: 'compare_scores',
  title: 'Compare two periods',
  description:
    'Says whether a figure of a brand changed between two periods, with an interval and a verdict. Default: last 7 days (b) against the 7 before (a).',
  input: z.strictObject({
    org_id: orgId,
    brand_id: brandId,
    metric: compareQuery.metric.describe('Figure to compare.'),
    confidence: compareQuery.confidence.describe('For m comparisons at once, 1 - 0.05 / m or more.'),
    from_a: compareQuery.from_a.describe('Default: 7 days before b.'),
    to_a: compareQuery.to_a.describe('Default: the day before b.'),
    from_b: compareQuery.from_b.describe('Default: 6 days before today.'),
    to_b: compareQuery.to_b.describe('Default: today.'),
    platform: filters.platform,
    country: filters.country,
  }),
  output: z.object({
    summary: z.string(),
    comparison: pick(ScoreComparison, 'metric', 'a', 'b', 'difference', 'verdict', 'reasons'),
    units: Units,
    known_limits: KnownLimits,
  }),
  run: async (calls, { org_id, brand_id, ...query }) => {
    const params = toBrandParams({ org_id, brand_id });
    const comparison = await calls.call(compareScores, { params, query });
    return {
      summary: describeComparison(comparison),
      comparison,
      units: describeUnits(query.metric, 'difference', 'units'),
      known_limits: listLimits('independent_prompts', 'unequal_windows'),
    };
  },
});

const ShareRow = pick(
  ShareOfVoice,
  'run_date',
  'brand_id',
  'name',
  'is_own',
  'share_of_voice',
  'mentions',
  'mention_rate',
  'average_position',
  'rank',
);
export const shareOfVoiceTool = defineTool({
  name: 'share_of_voice',
  title: 'Share of voice',
  description:
    'A brand and its competitors by day, newest first, by rank. For whole weeks use brand_overview.',
  input: z.strictObject({
    org_id: orgId,
    brand_id: brandId,
    ...filters,
    max_rows: maxRows(1_000, 50),
  }),
  output: z.object({ rows: z.array(ShareRow), has_more: hasMore, units: Units, known_limits: KnownLimits }),
  run: async (calls, { org_id, brand_id, max_rows, ...query }) => {
    const params = toBrandParams({ org_id, brand_id });
    const { rows, has_more } = await calls.list(listShareOfVoice, { params, query }, max_rows, (row) =>
      select(ShareRow, row),
    );
    return {
      rows,
      has_more,
      units: describeUnits('share_of_voice', 'mention_rate', 'average_position'),
      known_limits: listLimits('tracked_brands'),
    };
  },
});

const FormulaRow = pick(Methodology.shape.formulas.element, 'field', 'expression');
const PlatformRow = pick(Methodology.shape.platforms.element, 'platform', 'surface', 'model', 'search');
const MethodologyFields = pick(Methodology, 'method_version', 'sentiment', 'cadence', 'known_limits');

export const methodologyTool = defineTool({
  name: 'methodology',
  title: 'Methodology',
  description: 'How figures are measured: formulas, platforms, models, known limits.',
  input: z.strictObject({}),
  output: MethodologyFields.extend({
    formulas: z.array(FormulaRow),
    platforms: z.array(PlatformRow),
  }),
  run: async (calls) => {
    const { formulas, platforms, ...methodology } = await calls.call(getMethodology, {});
    return {
      ...select(MethodologyFields, methodology),
      formulas: formulas.map((formula) => select(FormulaRow, formula)),
      platforms: platforms.map((platform) => select(PlatformRow, platform)),
    };
  },
});
