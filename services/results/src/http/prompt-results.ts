import { listPromptResults, maxWindowDays, type PromptResult } from '@bv/contract';
import { type Route, route } from '@bv/http';
import type { Queryable } from '@bv/postgres';
import type { Context } from '../context.ts';
import { findTrackedDomains } from '../db/brands.ts';
import {
  hasUnits,
  listPromptResultRows,
  listUnitBrands,
  listUnitSources,
  type PromptResultRow,
} from '../db/unit-lists.ts';
import { classifyDomain } from '../domain/source-category.ts';
import { findPromptOfOrg } from './projections.ts';
import { buildPage, parsePage, parseUnitPosition, readConsistentPage, toSqlFilters } from './pagination.ts';

export function listPromptResultsRoute(ctx: Context): Route {
  return route(listPromptResults, async ({ params, query, caller }) => {
    const prompt = await findPromptOfOrg(ctx, caller.orgId, params.promptId);
    const pageRequest = parsePage(ctx, {
      operation: listPromptResults.id,
      collection: [prompt.org_id, prompt.id, prompt.brand_id],
      query,
      maxDays: maxWindowDays.standard,
    });
    const { result, token } = await readConsistentPage(
      ctx,
      { pageRequest, brandId: prompt.brand_id, preferIndexScan: true },
      (tx) =>
        readPage(
          tx,
          { id: prompt.id, brandId: prompt.brand_id },
          {
            ...pageRequest.window,
            ...toSqlFilters(pageRequest),
            after: parseUnitPosition(pageRequest),
            limit: query.limit + 1,
          },
        ),
    );
    const page = buildPage(ctx, pageRequest, {
      rows: result.units,
      limit: query.limit,
      token,
      sortKey: (unit) => [unit.run_date, unit.finalized_at, unit.id],
    });
    return { data: page.rows.map((unit) => present(unit, result)), pagination: page.pagination };
  });
}

async function readPage(
  db: Queryable,
  prompt: { id: string; brandId: string },
  page: Parameters<typeof listPromptResultRows>[2],
) {
  const units = (await hasUnits(db, prompt.brandId, page))
    ? await listPromptResultRows(db, prompt, page)
    : [];
  const ids = units.map((unit) => unit.id);
  return {
    units,
    brands: Map.groupBy(await listUnitBrands(db, ids), (row) => row.unit_id),
    sources: Map.groupBy(await listUnitSources(db, ids), (row) => row.unit_id),
    tracked: await findTrackedDomains(db, prompt.brandId),
  };
}

function present(unit: PromptResultRow, page: Awaited<ReturnType<typeof readPage>>): PromptResult {
  const { job_id, ...row } = unit;
  return {
    ...row,
    platform: row.platform as PromptResult['platform'],
    scan_id: job_id,
    brands: (page.brands.get(unit.id) ?? []).map(({ unit_id: _, ...brand }) => brand),
    sources: (page.sources.get(unit.id) ?? []).map(({ unit_id: _, ...source }) => ({
      ...source,
      category: classifyDomain(source.domain, page.tracked),
    })),
  };
}
