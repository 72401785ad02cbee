import { z } from 'zod';
import { operation } from '../operation.ts';
import { GapFilter, MarketFilter, OwnBrandParams, page, PlatformFilter, windowQuery } from '../parameters.ts';
import { BreakdownBy, BreakdownRow, BreakdownSeries, PromptKind } from '../resources/breakdown.ts';
import { CitedUrl } from '../resources/cited-url.ts';
import { text } from '../scalars.ts';
import { maxWindowDays } from '../window.ts';

const filters = { platform: PlatformFilter, country: MarketFilter };

export const listBreakdown = operation({
  id: 'listBreakdown',
  service: 'results',
  method: 'GET',
  path: '/orgs/{orgId}/brands/{brandId}/breakdown',
  summary: 'List a breakdown',
  description:
    'One row for each slice with a unit, over the whole window or by day or week. All answers of the window count, repeats of a day included. A figure is the mean over the cells (prompt, country, platform) of the slice, the share of voice a ratio of counts. Tags, texts and names are those of now; inactive prompts keep their rows. Ordered by `key`, then `date`. If the results change, the cursor is `stale`.',
  params: OwnBrandParams,
  query: z.object({
    ...page,
    ...windowQuery(maxWindowDays.standard),
    by: BreakdownBy.optional()
      .describe('What the rows are slices of. Required on the first page.')
      .meta({ examples: ['prompt'] }),
    series: BreakdownSeries.optional()
      .describe(
        'Days that a row pools: the window (`none`, also when omitted), a `day`, or a `week` from Monday to Sunday.',
      )
      .meta({
        // No default: Kotlin does not compile one whose name is reserved.
        examples: ['week'],
        'x-enum-varnames': ['whole_window', 'day', 'week'],
      }),
    ...filters,
    tag: text(0, 100, { trim: true })
      .optional()
      .describe('Only prompts with this tag; empty: only prompts without tags.')
      .meta({ examples: ['pricing'] }),
    prompt_kind: PromptKind.optional()
      .describe('Only prompts whose text mentions the own brand, competitors only, or no tracked brand.')
      .meta({ examples: ['unbranded'] }),
  }),
  body: null,
  success: { status: 200, kind: 'list', data: BreakdownRow },
  errors: ['scan_in_progress'],
});

export const listPages = operation({
  id: 'listPages',
  service: 'results',
  method: 'GET',
  path: '/orgs/{orgId}/brands/{brandId}/pages',
  summary: 'List cited pages',
  description:
    'One row per page, counted over the whole window. Ordered by `units_cited` (highest first), then `url`; with `gap=true` by `units_gap` instead. Only links that answers cite count; every answer counts, also repeats of a day. If the results change, the cursor is `stale`.',
  params: OwnBrandParams,
  query: z.object({
    ...page,
    ...windowQuery(maxWindowDays.sources),
    ...filters,
    domain: text(0, 2048, { trim: true })
      .optional()
      .describe('Only pages of this domain. A URL or a subdomain selects its registrable domain.')
      .meta({ examples: ['reddit.com'] }),
    gap: GapFilter,
  }),
  body: null,
  success: { status: 200, kind: 'list', data: CitedUrl },
  errors: ['scan_in_progress'],
});
