import { z } from 'zod';
import { operation } from '../operation.ts';
import { MarketFilter, OwnBrandParams, PlatformFilter, parseNumber, WrittenDate } from '../parameters.ts';
import { Precision, PrecisionMetric } from '../resources/precision.ts';

export const getPrecision = operation({
  id: 'getPrecision',
  service: 'results',
  method: 'GET',
  path: '/orgs/{orgId}/brands/{brandId}/precision',
  summary: 'Read the precision',
  description:
    'Separates the variance of answers by what causes it: prompts, strata (a platform in a market), both together, and repeats. It gives the interval of the figure, the smallest change that can be found, and the effect of more prompts or repeats. The window has at most 92 days, both ends counted.',
  params: OwnBrandParams,
  query: z.object({
    metric: PrecisionMetric.default('mention_rate')
      .describe('Figure: `mention_rate`, `score` or `citation_rate`.')
      .meta({ examples: ['mention_rate'] }),
    from: WrittenDate.optional()
      .describe('First day of the window (UTC), included. Default: 27 days before `to`.')
      .meta({ examples: ['2026-10-25'] }),
    to: WrittenDate.optional()
      .describe('Last day of the window (UTC), included. Default: today.')
      .meta({ examples: ['2026-11-21'] }),
    platform: PlatformFilter,
    country: MarketFilter,
    width: z
      .preprocess(parseNumber, z.number().min(1).max(50))
      .default(5)
      .describe('Half width that is wanted, in points.')
      .meta({ examples: [5] }),
  }),
  body: null,
  success: { status: 200, kind: 'item', data: Precision },
  errors: ['scan_in_progress'],
});
