import { Changes, getChanges, Uuid } from '@bv/contract';
import { z } from 'zod';
import { filters, maxRows, orgId } from '../arguments.ts';
import { hasMore, KnownLimits, listLimits, pick, select } from '../fields.ts';
import { defineTool } from '../tool.ts';

const ChangeRow = pick(Changes.shape.rows.element, 'difference', 'q_value', 'verdict', 'reasons').extend({
  brand_id: Uuid,
  name: z.string(),
});
const query = getChanges.query.shape;

type Row = Changes['rows'][number];
const toRow = ({ brand, ...row }: Row) => ({
  ...select(ChangeRow, row),
  brand_id: brand.id,
  name: brand.name,
});

export const brandChangesTool = defineTool({
  name: 'brand_changes',
  title: 'Which brands changed',
  description:
    'Which brands of an organisation really moved: the last days against as many before, with a controlled share of false changes. Surest first.',
  input: z.strictObject({
    org_id: orgId,
    window_days: query.window_days.describe('7 or 28.'),
    metric: query.metric.describe('Figure to compare.'),
    country: filters.country,
    max_rows: maxRows(500, 20),
  }),
  output: z.object({
    summary: z.string(),
    brands: z.array(ChangeRow),
    has_more: hasMore,
    known_limits: KnownLimits,
  }),
  run: async (calls, { org_id, max_rows, ...sent }) => {
    const changes = await calls.call(getChanges, { params: { orgId: org_id }, query: sent });
    const { tested, not_comparable: others, up, down, median_difference: median, fdr, rows } = changes;
    const shared =
      median === null ? '' : ` The median difference of all is ${median} points: a shift that brands share.`;
    const brands = calls.fit(rows.slice(0, max_rows).map(toRow));
    return {
      summary: `Of ${tested} comparable brands ${up} rose and ${down} fell; on average at most ${100 * fdr} % of these are false. ${others} are not comparable.${shared}`,
      brands,
      has_more: rows.length > brands.length,
      known_limits: listLimits('shared_shocks'),
    };
  },
});
