import { BrandSummary, listBrandSummaries, listOrgs, Organisation } from '@bv/contract';
import { z } from 'zod';
import { maxRows, orgId } from '../arguments.ts';
import { describeUnits, hasMore, pick, select, Units } from '../fields.ts';
import { defineTool } from '../tool.ts';

const OrganisationRow = pick(Organisation, 'id', 'name', 'link_scope', 'external_ref');

export const listOrganisationsTool = defineTool({
  name: 'list_organisations',
  title: 'Organisations',
  description: 'Organisations that the key reaches. Start here: other tools need org_id.',
  input: z.strictObject({ max_rows: maxRows(1_000, 100) }),
  output: z.object({ organisations: z.array(OrganisationRow), has_more: hasMore }),
  run: async (calls, { max_rows }) => {
    const { rows, has_more } = await calls.list(listOrgs, {}, max_rows, (row) =>
      select(OrganisationRow, row),
    );
    return { organisations: rows, has_more };
  },
});

const BrandRow = pick(
  BrandSummary,
  'id',
  'name',
  'domain',
  'score',
  'score_change',
  'score_date',
  'change_verdict',
  'share_of_voice',
  'sentiment',
  'active_prompts',
  'last_scan_at',
  'scan_in_progress',
);

export const listBrandsTool = defineTool({
  name: 'list_brands',
  title: 'Brands',
  description:
    'Own brands of an organisation with their latest figures. change_verdict compares the last 7 days with the 7 before. Competitors: brand_overview.',
  input: z.strictObject({ org_id: orgId, max_rows: maxRows(1_000, 100) }),
  output: z.object({ brands: z.array(BrandRow), has_more: hasMore, units: Units }),
  run: async (calls, { org_id, max_rows }) => {
    const { rows, has_more } = await calls.list(
      listBrandSummaries,
      { params: { orgId: org_id } },
      max_rows,
      (row) => select(BrandRow, row),
    );
    return {
      brands: rows,
      has_more,
      units: describeUnits('score', 'change', 'share_of_voice', 'sentiment'),
    };
  },
});
