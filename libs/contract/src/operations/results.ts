import { z } from 'zod';
import { operation } from '../operation.ts';
import {
  Cursor,
  GapFilter,
  limitUpTo,
  MarketFilter,
  OrgParams,
  OwnBrandParams,
  page,
  PageQuery,
  parseNumber,
  PlatformFilter,
  PromptParams,
  windowQuery,
  WrittenDate,
} from '../parameters.ts';
import { maxWindowDays } from '../window.ts';
import { BrandSummary } from '../resources/brand.ts';
import { ComparedMetric, comparisonConfidences, ScoreComparison } from '../resources/score-comparison.ts';
import { Mention, PromptResult } from '../resources/result.ts';
import { Score, ScoreWindow, ShareOfVoice } from '../resources/score.ts';
import { Source } from '../resources/source.ts';

const filters = { platform: PlatformFilter, country: MarketFilter };

export const listBrandSummaries = operation({
  id: 'listBrandSummaries',
  service: 'results',
  method: 'GET',
  path: '/orgs/{orgId}/brands/summary',
  summary: 'List brand summaries',
  description:
    'Own brands that are not archived, ordered by `id`. The figures are those of the latest day over all markets; that day can differ between brands. Poll this list: read the results of a brand again only if its `changed_at` differs.',
  params: OrgParams,
  query: PageQuery,
  body: null,
  success: { status: 200, kind: 'list', data: BrandSummary },
});

export const listPromptResults = operation({
  id: 'listPromptResults',
  service: 'results',
  method: 'GET',
  path: '/orgs/{orgId}/prompts/{promptId}/results',
  summary: 'List prompt results',
  description:
    'One result per unit, with the text of the answer, its sources and the tracked brands. Ordered by `run_date`, `finalized_at` and `id`, newest first. Units that failed have no result. Every page shows what was final at the first page; if the results change, the cursor is `stale`.',
  params: PromptParams,
  query: z.object({ ...page, ...windowQuery(maxWindowDays.standard), ...filters }),
  body: null,
  success: { status: 200, kind: 'list', data: PromptResult },
  errors: ['scan_in_progress'],
});

export const listMentions = operation({
  id: 'listMentions',
  service: 'results',
  method: 'GET',
  path: '/orgs/{orgId}/brands/{brandId}/mentions',
  summary: 'List mentions',
  description:
    'One row per finalised unit of all prompts of the brand, inactive ones included. It says whether and how the answer mentions the own brand. Ordered by `run_date`, `finalized_at` and `id`, newest first. Meant for bulk reads: up to 1000 rows a page. Every page shows what was final at the first page; if the results change, the cursor is `stale`.',
  params: OwnBrandParams,
  query: z.object({
    limit: limitUpTo(1000),
    cursor: Cursor,
    ...windowQuery(maxWindowDays.standard),
    ...filters,
  }),
  body: null,
  success: { status: 200, kind: 'list', data: Mention },
  errors: ['scan_in_progress'],
});

export const listScores = operation({
  id: 'listScores',
  service: 'results',
  method: 'GET',
  path: '/orgs/{orgId}/brands/{brandId}/scores',
  summary: 'List scores',
  description:
    'Without `country` the rows are those of the series over all markets (`country: null`), not one row for each market. One row for each day with results, newest first.\n\nA row of a `window` of 7 or 28 days pools all answers of the days up to its `run_date`. It is the mean over the cells (prompt, country, platform) of the mean of each cell.',
  params: OwnBrandParams,
  query: z.object({
    ...page,
    ...windowQuery(maxWindowDays.standard),
    country: MarketFilter.describe(
      'The series of this market, ISO 3166-1 alpha-2. When omitted: the series over all markets.',
    ),
    window: ScoreWindow.optional()
      .describe('Days that each row pools, up to its `run_date`: `day` (one), `7d` or `28d`.')
      .meta({ default: 'day', examples: ['7d'] }),
  }),
  body: null,
  success: { status: 200, kind: 'list', data: Score },
});

const comparedDate = (description: string, example: string) =>
  WrittenDate.optional()
    .describe(description)
    .meta({ examples: [example] });

const comparedDates = {
  from_a: comparedDate(
    'First day of window a (UTC), included. Default: 7 days before window b.',
    '2026-11-08',
  ),
  to_a: comparedDate('Last day of window a (UTC), included. Default: the day before window b.', '2026-11-14'),
  from_b: comparedDate('First day of window b (UTC), included. Default: 6 days before today.', '2026-11-15'),
  to_b: comparedDate('Last day of window b (UTC), included. Default: today.', '2026-11-21'),
};

const CompareQuery = z
  .object({
    ...comparedDates,
    ...filters,
    metric: ComparedMetric.default('score')
      .describe(
        'Figure to compare: `score`, `mention_rate`, `sentiment`, `citation_rate` or `share_of_voice`.',
      )
      .meta({ examples: ['mention_rate'] }),
    confidence: z
      .preprocess(parseNumber, z.literal([...comparisonConfidences]))
      .default(0.95)
      .describe(
        'Confidence of the interval and of the verdict: 0.8, 0.9, 0.95, 0.99, 0.999 or 0.9999. For m comparisons at once, take 1 − 0.05 / m or more.',
      )
      .meta({ examples: [0.99] }),
  })
  .superRefine((query, ctx) => {
    for (const name of ['a', 'b'] as const) {
      const [from, to] = [`from_${name}`, `to_${name}`] as const;
      if ((query[from] === undefined) === (query[to] === undefined)) continue;
      ctx.addIssue({
        code: 'custom',
        path: [query[from] === undefined ? from : to],
        message: `${from} and ${to} are sent together`,
        params: { code: 'invalid_type' },
      });
    }
  });

export const compareScores = operation({
  id: 'compareScores',
  service: 'results',
  method: 'GET',
  path: '/orgs/{orgId}/brands/{brandId}/scores/compare',
  summary: 'Compare two windows',
  description:
    'Compares the same prompts: only cells (prompt, country, platform) with an answer in both windows count, for sentiment those with a sentiment in both. The difference of a prompt is the mean of those of its cells. The difference is the mean over prompts, with the paired t interval; a share of voice has the interval of the jackknife over prompts. Each window has at most 92 days, and either may be the earlier one. They must not share a day. Both dates of a window are sent together.',
  params: OwnBrandParams,
  query: CompareQuery,
  body: null,
  success: { status: 200, kind: 'item', data: ScoreComparison },
});

export const listShareOfVoice = operation({
  id: 'listShareOfVoice',
  service: 'results',
  method: 'GET',
  path: '/orgs/{orgId}/brands/{brandId}/share-of-voice',
  summary: 'List share of voice',
  description:
    'One row per day for the own brand and each competitor. Ordered by `run_date` (newest first), `rank` and `brand_id`. `platform` and `country` select the answers that count. For a prompt, platform, country and day only the latest answer counts.',
  params: OwnBrandParams,
  query: z.object({ ...page, ...windowQuery(maxWindowDays.standard), ...filters }),
  body: null,
  success: { status: 200, kind: 'list', data: ShareOfVoice },
});

export const listSources = operation({
  id: 'listSources',
  service: 'results',
  method: 'GET',
  path: '/orgs/{orgId}/brands/{brandId}/sources',
  summary: 'List cited domains',
  description:
    'One row per domain, counted over the whole window. Ordered by `citations` (highest first), then `domain`; with `gap=true` by `units_gap`. Only links that answers cite count; every answer counts, also repeats of a day. Every page shows what was final at the first page; if the results change, the cursor is `stale`.',
  params: OwnBrandParams,
  query: z.object({ ...page, ...windowQuery(maxWindowDays.sources), ...filters, gap: GapFilter }),
  body: null,
  success: { status: 200, kind: 'list', data: Source },
  errors: ['scan_in_progress'],
});
