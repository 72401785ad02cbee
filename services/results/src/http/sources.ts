import { listSources, maxWindowDays, type Source } from '@bv/contract';
import { type Route, route } from '@bv/http';
import { buildPage, type PageRequest, parseWindowedPage } from '@bv/pagination';
import type { Paged } from '@bv/postgres';
import { type Context, getToday } from '../context.ts';
import { findTrackedDomains, type TrackedDomains } from '../db/tracked-brands.ts';
import { hasUnits } from '../db/unit-lists.ts';
import { listSourceRows, type SourceRow } from '../db/sources.ts';
import { percent } from '../domain/formulas.ts';
import { classifyDomain } from '../domain/source-category.ts';
import { readConsistentPage, toUnitFilters } from './consistent-page.ts';
import { findOwnBrand } from './projections.ts';

export function listSourcesRoute(ctx: Context): Route {
  return route(listSources, async ({ params, query }) => {
    const brand = await findOwnBrand(ctx, params);
    const page = parseWindowedPage(
      ctx.cursors,
      {
        operation: listSources.id,
        collection: [brand.org_id, brand.id],
        filters: { platform: query.platform, country: query.country },
        today: getToday(ctx),
        maxDays: maxWindowDays.sources,
      },
      query,
    );
    const filters = toUnitFilters(page);
    const { result, token } = await readConsistentPage(ctx, { page, brandId: brand.id }, async (tx) => ({
      rows: (await hasUnits(tx, brand.id, filters))
        ? await listSourceRows(tx, brand.id, { ...filters, after: toPosition(page), limit: page.limit + 1 })
        : [],
      tracked: await findTrackedDomains(tx, brand.id),
    }));
    return buildPage(ctx.cursors, page, {
      rows: result.rows,
      toSortKey: (row) => [row.citations, row.domain],
      present: (row) => present(row, result.tracked),
      token,
    });
  });
}

function toPosition({ sort }: Pick<PageRequest, 'sort'>) {
  return sort === null ? null : { citations: Number(sort[0]), domain: String(sort[1]) };
}

function present(row: Paged<SourceRow>, tracked: TrackedDomains): Source {
  const { total_citations, units_mentioned, units_citations_unknown: unknown, has_next: _, ...rest } = row;
  const category = classifyDomain(row.domain, tracked);
  return {
    ...rest,
    platforms: row.platforms as Source['platforms'],
    category,
    is_own: category === 'own',
    competitor_id: category === 'competitor' ? (tracked.competitors.get(row.domain) ?? null) : null,
    citation_share: percent(row.citations, total_citations),
    citation_rate: percent(row.units_cited, row.units_answered - unknown),
    mentioned_rate: percent(units_mentioned, row.units_cited),
  };
}
