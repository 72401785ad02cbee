import { z } from 'zod';
import { exampleIds } from '../example-ids.ts';
import { Count } from '../scalars.ts';
import { BrandSummary } from './brand.ts';
import { ChangeWindowDays, ComparedMetric, ScoreComparison, Verdict } from './score-comparison.ts';

const { id, name, domain } = BrandSummary.shape;
const { a, b, difference, reasons } = ScoreComparison.shape;

const BrandChange = z
  .strictObject({
    brand: z
      .strictObject({ id, name, domain })
      .meta({
        id: 'ChangedBrand',
        examples: [{ id: exampleIds.brand, name: 'Pipedrive', domain: 'pipedrive.com' }],
      })
      .describe('The own brand.'),
    a,
    b,
    difference,
    p_value: z
      .number()
      .min(0)
      .max(1)
      .nullable()
      .describe(
        'Two-sided p-value of no difference. Where all k prompts differ by the same amount, it is (1/4)^(k - 1). null where the brand is not comparable.',
      ),
    q_value: z
      .number()
      .min(0)
      .max(1)
      .nullable()
      .describe('Lowest `fdr` at which this row is a change. null where the brand is not comparable.'),
    verdict: Verdict.describe(
      '`up` or `down` if `q_value` is at most `fdr`, `no_evidence` if it is higher, `not_comparable` as in compareScores.',
    ),
    reasons,
  })
  .meta({ id: 'BrandChange' });

export const Changes = z
  .strictObject({
    window_days: ChangeWindowDays.describe('Days of each window.'),
    metric: ComparedMetric.describe('Figure that is compared.'),
    country: z.string().nullable().describe('Market of the compared answers; null for all markets.'),
    fdr: z.number().describe('False discovery rate that was asked for.'),
    tested: Count.describe('Brands that are comparable.'),
    not_comparable: Count.describe('Brands that are not comparable.'),
    up: Count.describe('Brands with the verdict `up`.'),
    down: Count.describe('Brands with the verdict `down`.'),
    median_difference: z
      .number()
      .nullable()
      .describe(
        'Median of the differences of the comparable brands, in points. A shift that many brands share shows here. null without a comparable brand.',
      ),
    rows: z
      .array(BrandChange)
      .describe(
        'At most 500 brands. Ordered by `q_value` ascending, null last, then by the id of the brand.',
      ),
  })
  .meta({ id: 'Changes' });
export type Changes = z.infer<typeof Changes>;
