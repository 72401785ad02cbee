import { type Coverage, DiscoveredBrand, getCoverage, listDiscoveredBrands } from '@bv/contract';
import { z } from 'zod';
import { brandId, filters, maxRows, orgId, toBrandParams } from '../arguments.ts';
import { describeUnits, hasMore, pick, select, Units } from '../fields.ts';
import { defineTool } from '../tool.ts';

const BrandRow = pick(
  DiscoveredBrand,
  'name',
  'suggested_domain',
  'kind',
  'units_mentioned',
  'mention_rate',
  'mention_rate_low',
  'mention_rate_high',
  'average_position',
  'last_seen',
);

export const suggestCompetitorsTool = defineTool({
  name: 'suggest_competitors',
  title: 'Brands to track',
  description:
    'Brands that answers name and nobody tracks, most answers first, and how many exist at least. It links none: the user links one as a competitor, then reprocesses the brand.',
  input: z.strictObject({
    org_id: orgId,
    brand_id: brandId,
    ...filters,
    min_units: listDiscoveredBrands.query.shape.min_units.describe('Least answers. Default: 2.'),
    max_rows: maxRows(200, 10),
  }),
  isOpenWorld: true,
  output: z.object({ summary: z.string(), brands: z.array(BrandRow), has_more: hasMore, units: Units }),
  run: async (calls, { org_id, brand_id, max_rows, min_units, ...query }) => {
    const params = toBrandParams({ org_id, brand_id });
    const { rows, has_more } = await calls.list(
      listDiscoveredBrands,
      { params, query: { ...query, min_units } },
      max_rows,
      (row) => select(BrandRow, row),
    );
    const coverage = await calls.call(getCoverage, { params, query: { ...query, subject: 'brands' } });
    return {
      summary: describeCoverage(coverage),
      brands: rows,
      has_more,
      units: describeUnits('mention_rate', 'units'),
    };
  },
});

function describeCoverage({ units, seen, coverage, estimated_total: total }: Coverage): string {
  if (total.value === null) return `${units} answers name ${seen} brands: too few for an estimate.`;
  return `${units} answers name ${seen} brands, tracked ones included. At least ${total.value} exist (95 %: ${total.low} to ${total.high}). Of the brand mentions in further answers, about ${coverage.value} % are of brands seen so far.`;
}
