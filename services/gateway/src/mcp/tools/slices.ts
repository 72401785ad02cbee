import { BreakdownRow, CitedUrl, listBreakdown, listPages } from '@bv/contract';
import { z } from 'zod';
import { brandId, filters, maxRows, orgId, toBrandParams } from '../arguments.ts';
import { describeUnits, hasMore, pick, select, Units } from '../fields.ts';
import { defineTool } from '../tool.ts';

const breakdownQuery = listBreakdown.query.shape;

const SliceRow = pick(
  BreakdownRow,
  'key',
  'label',
  'prompt_kind',
  'units_answered',
  'mention_rate',
  'mention_rate_low',
  'mention_rate_high',
  'share_of_voice',
).extend({
  rival: z.object({ name: z.string(), mention_rate: z.number() }).nullable(),
  lead: z.number().nullable(),
});
type SliceRow = z.input<typeof SliceRow>;

/** Slices that are read and ranked. */
const maxSlices = 1_000;

export const breakdownTool = defineTool({
  name: 'breakdown',
  title: 'Where a brand loses',
  description:
    'Where a brand loses: rates by prompt, tag, platform, country, model or kind of prompt (branded or not), each with its strongest rival, largest lead of the rival first.',
  input: z.strictObject({
    org_id: orgId,
    brand_id: brandId,
    by: breakdownQuery.by.unwrap().default('prompt').describe('What the rows are.'),
    ...filters,
    tag: breakdownQuery.tag.describe('Only prompts with it.'),
    prompt_kind: breakdownQuery.prompt_kind.describe('Brands that the prompt names.'),
    max_rows: maxRows(200, 8),
  }),
  output: z.object({ rows: z.array(SliceRow), has_more: hasMore, units: Units }),
  run: async (calls, { org_id, brand_id, max_rows, ...query }) => {
    const params = toBrandParams({ org_id, brand_id });
    const { rows, has_more } = await calls.list(
      listBreakdown,
      { params, query },
      maxSlices,
      presentSlice,
      Infinity,
    );
    const ranked = rows.toSorted((a, b) => (b.lead ?? -Infinity) - (a.lead ?? -Infinity));
    const largest = calls.fit(ranked.slice(0, max_rows));
    return {
      rows: largest,
      has_more: has_more || rows.length > largest.length,
      units: describeUnits('mention_rate', 'share_of_voice', 'lead'),
    };
  },
});

/** A slice with the competitor that its answers mention most. */
function presentSlice(row: BreakdownRow): SliceRow {
  let rival: SliceRow['rival'] = null;
  for (const { name, mention_rate } of row.competitors) {
    if (mention_rate !== null && mention_rate > (rival?.mention_rate ?? -1)) rival = { name, mention_rate };
  }
  const lead =
    rival === null || row.mention_rate === null
      ? null
      : Math.round(100 * (rival.mention_rate - row.mention_rate)) / 100;
  return { ...select(SliceRow, row), rival, lead };
}

const PageRow = pick(
  CitedUrl,
  'url',
  'title',
  'category',
  'units_cited',
  'units_mentioned',
  'units_gap',
  'prompts',
  'last_seen',
);

export const pagesTool = defineTool({
  name: 'pages',
  title: 'Cited pages',
  description:
    'Which pages answers cite, over at most 90 days. By default those whose answers name a competitor and not the brand (units_gap), most such answers first.',
  input: z.strictObject({
    org_id: orgId,
    brand_id: brandId,
    ...filters,
    domain: listPages.query.shape.domain.describe('Only its pages.'),
    gap: z.boolean().default(true).describe('false: all pages, most cited first.'),
    max_rows: maxRows(200, 8),
  }),
  isOpenWorld: true,
  output: z.object({ pages: z.array(PageRow), has_more: hasMore, units: Units }),
  run: async (calls, { org_id, brand_id, max_rows, ...query }) => {
    const params = toBrandParams({ org_id, brand_id });
    const { rows, has_more } = await calls.list(listPages, { params, query }, max_rows, (row) =>
      select(PageRow, row),
    );
    return { pages: rows, has_more, units: describeUnits('units_gap') };
  },
});
