import { listSources, maxWindowDays, type Source } from '@bv/contract';
import { type Route, route } from '@bv/http';
import type { Context } from '../context.ts';
import { findTrackedDomains, type TrackedDomains } from '../db/brands.ts';
import { hasUnits } from '../db/unit-lists.ts';
import { listSourceRows, type SourceRow } from '../db/sources.ts';
import { percent } from '../domain/formulas.ts';
import { classifyDomain } from '../domain/source-category.ts';
import { findOwnBrand } from './projections.ts';
import { toSqlFilters, parsePage, buildPage, readConsistentPage, type PageRequest } from './pagination.ts';

export function listSourcesRoute(ctx: Context): Route {
  return route(listSources, async ({ params, query, caller }) => {
    const brand = await findOwnBrand(ctx, caller.orgId, params.brandId);
    const pageRequest = parsePage(ctx, {
      operation: listSources.id,
      collection: [brand.org_id, brand.id],
      query,
      maxDays: maxWindowDays.sources,
    });
    const filters = toSqlFilters(pageRequest);
    const { result, token } = await readConsistentPage(
      ctx,
      { pageRequest, brandId: brand.id },
      async (tx) => ({
        rows: (await hasUnits(tx, brand.id, filters))
          ? await listSourceRows(tx, {
              brandId: brand.id,
              ...pageRequest.window,
              ...filters,
              after: parsePosition(pageRequest),
              limit: query.limit + 1,
            })
          : [],
        tracked: await findTrackedDomains(tx, brand.id),
      }),
    );
    const page = buildPage(ctx, pageRequest, {
      rows: result.rows,
      limit: query.limit,
      token,
      sortKey: (row) => [row.citations, row.domain],
    });
    return { data: page.rows.map((row) => present(row, result.tracked)), pagination: page.pagination };
  });
}

function parsePosition({ sort }: PageRequest) {
  return sort === null ? null : { citations: Number(sort[0]), domain: String(sort[1]) };
}

function present(row: SourceRow, tracked: TrackedDomains): Source {
  const { total_citations, units_mentioned, ...rest } = row;
  const category = classifyDomain(row.domain, tracked);
  return {
    ...rest,
    platforms: row.platforms as Source['platforms'],
    category,
    is_own: category === 'own',
    competitor_id: category === 'competitor' ? (tracked.competitors.get(row.domain) ?? null) : null,
    citation_share: percent(row.citations, total_citations),
    citation_rate: percent(row.units_cited, row.units_answered),
    mentioned_rate: percent(units_mentioned, row.units_cited),
  };
}
