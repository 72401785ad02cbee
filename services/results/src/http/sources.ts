import { listSources, maxWindowDays, type Source } from '@bv/contract';
import { type Route, route } from '@bv/http';
import { buildPage, type PageRequest, parseWindowedPage } from '@bv/pagination';
import type { Paged } from '@bv/postgres';
import { type Context, getToday } from '../context.ts';
import { findTrackedDomains, type TrackedDomains } from '../db/tracked-brands.ts';
import { hasUnits } from '../db/unit-lists.ts';
import { listSourceRows, type SourceRow } from '../db/cited-domains.ts';
import { percent } from '../domain/formulas.ts';
import { classifyDomain } from '../domain/source-category.ts';
import { readConsistentPage, toGapFilter, toUnitFilters } from './consistent-page.ts';
import { findOwnBrand } from './projections.ts';

export function listSourcesRoute(ctx: Context): Route {
  return route(listSources, async ({ params, query }) => {
    const brand = await findOwnBrand(ctx, params);
    const page = parseWindowedPage(
      ctx.cursors,
      {
        operation: listSources.id,
        collection: [brand.org_id, brand.id],
        filters: { platform: query.platform, country: query.country, gap: toGapFilter(query) },
        today: getToday(ctx),
        maxDays: maxWindowDays.sources,
      },
      query,
    );
    const filters = toUnitFilters(page);
    const { result, token } = await readConsistentPage(ctx, { page, brandId: brand.id }, async (tx) => {
      const tracked = await findTrackedDomains(tx, brand.id);
      const gapOf = page.filters.gap === 'true' ? tracked.own : null;
      const request = { ...filters, gapOf, after: toPosition(page), limit: page.limit + 1 };
      const rows = (await hasUnits(tx, brand.id, filters)) ? await listSourceRows(tx, brand.id, request) : [];
      return { rows, tracked, gapOf };
    });
    return buildPage(ctx.cursors, page, {
      rows: result.rows,
      toSortKey: (row) => [result.gapOf === null ? row.citations : row.units_gap, row.domain],
      present: (row) => present(row, result.tracked),
      token,
    });
  });
}

function toPosition({ sort }: Pick<PageRequest, 'sort'>) {
  return sort === null ? null : { count: Number(sort[0]), domain: String(sort[1]) };
}

function present(row: Paged<SourceRow>, tracked: TrackedDomains): Source {
  const { total_citations, units_mentioned, units_citations_unknown: unknown, has_next: _, ...rest } = row;
  return {
    ...rest,
    ...presentDomain(row.domain, tracked),
    platforms: row.platforms as Source['platforms'],
    citation_share: percent(row.citations, total_citations),
    citation_rate: percent(row.units_cited, row.units_answered - unknown),
    mentioned_rate: percent(units_mentioned, row.units_cited),
    gap_rate: percent(row.units_gap, row.units_cited),
  };
}

/** Whose domain it is. */
export function presentDomain(
  domain: string,
  tracked: TrackedDomains,
): Pick<Source, 'category' | 'is_own' | 'competitor_id'> {
  const category = classifyDomain(domain, tracked);
  const isCompetitor = category === 'competitor';
  return {
    category,
    is_own: category === 'own',
    competitor_id: isCompetitor ? (tracked.competitors.get(domain) ?? null) : null,
  };
}
