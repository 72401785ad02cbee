import { z } from 'zod';
import { operation } from '../operation.ts';
import { MarketFilter, OrgParams, parseNumber } from '../parameters.ts';
import { Changes } from '../resources/changes.ts';
import { ChangeWindowDays, ComparedMetric } from '../resources/score-comparison.ts';

export const getChanges = operation({
  id: 'getChanges',
  service: 'results',
  method: 'GET',
  path: '/orgs/{orgId}/changes',
  summary: 'Find changed brands',
  description:
    'Compares each own brand that is not archived as compareScores does: the last 7 or 28 days against as many days before. Of many brands some seem to change by chance. Therefore the verdicts keep the share of false ones among all `up` and `down` at `fdr` (Benjamini and Hochberg). That holds for brands that do not move together. At most 500 brands, those with the newest results first. All rows are of one moment.',
  params: OrgParams,
  query: z.object({
    window_days: z
      .preprocess(parseNumber, z.literal([...ChangeWindowDays.values]))
      .default(7)
      .describe('Days of each window: 7 or 28.')
      .meta({ examples: [28] }),
    metric: ComparedMetric.default('score')
      .describe(
        'Figure to compare: `score`, `mention_rate`, `sentiment`, `citation_rate` or `share_of_voice`.',
      )
      .meta({ examples: ['mention_rate'] }),
    country: MarketFilter,
    fdr: z
      .preprocess(parseNumber, z.number().min(0.001).max(0.5))
      .default(0.05)
      .describe('Accepted share of false changes among the rows with `up` or `down`, 0.001 to 0.5.')
      .meta({ examples: [0.1] }),
  }),
  body: null,
  success: { status: 200, kind: 'item', data: Changes },
});
