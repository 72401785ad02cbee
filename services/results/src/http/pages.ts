import { createHash } from 'node:crypto';
import { listPages, maxWindowDays, type CitedUrl, validationError } from '@bv/contract';
import { type Route, route } from '@bv/http';
import { buildPage, type PageRequest, parseWindowedPage } from '@bv/pagination';
import type { Paged } from '@bv/postgres';
import { normaliseHost, normalizeSourceUrl, sourceDomain } from '@bv/source-url';
import { type Context, getToday } from '../context.ts';
import { type CitedPageRow, listCitedPageRows } from '../db/cited-pages.ts';
import { findTrackedDomains, type TrackedDomains } from '../db/tracked-brands.ts';
import { hasUnits } from '../db/unit-lists.ts';
import { percent } from '../domain/formulas.ts';
import { readConsistentPage, toGapFilter, toUnitFilters } from './consistent-page.ts';
import { findOwnBrand } from './projections.ts';
import { presentDomain } from './sources.ts';

export function listPagesRoute(ctx: Context): Route {
  return route(listPages, async ({ params, query }) => {
    const brand = await findOwnBrand(ctx, params);
    const page = parseWindowedPage(
      ctx.cursors,
      {
        operation: listPages.id,
        collection: [brand.org_id, brand.id],
        filters: {
          platform: query.platform,
          country: query.country,
          domain: query.domain === undefined ? undefined : toCountedDomain(query.domain),
          gap: toGapFilter(query),
        },
        today: getToday(ctx),
        maxDays: maxWindowDays.sources,
      },
      query,
    );
    const filters = toUnitFilters(page);
    const { result, token } = await readConsistentPage(ctx, { page, brandId: brand.id }, async (tx) => {
      const tracked = await findTrackedDomains(tx, brand.id);
      const gapOf = page.filters.gap === 'true' ? tracked.own : null;
      const domain = page.filters.domain ?? null;
      const request = { ...filters, domain, gapOf, after: toPosition(page), limit: page.limit + 1 };
      const rows = (await hasUnits(tx, brand.id, filters))
        ? await listCitedPageRows(tx, brand.id, request)
        : [];
      return { rows, tracked, gapOf };
    });
    return buildPage(ctx.cursors, page, {
      rows: result.rows,
      toSortKey: (row) => [result.gapOf === null ? row.citations : row.units_gap, hashUrl(row.url)],
      present: (row) => present(row, result.tracked),
      token,
    });
  });
}

/** A source may also be under a public suffix (gov.uk) or an IP address, which no brand can have as its domain. */
function toCountedDomain(sent: string): string {
  const host = normaliseHost(sent);
  const url = sent.includes('://') ? sent : `https://${sent}`;
  const domain = host === undefined ? normalizeSourceUrl(url)?.domain : sourceDomain(host);
  if (domain !== undefined && !/[\s%]/.test(domain)) return domain;
  const message = 'Not a host name';
  throw validationError([{ path: 'domain', code: 'invalid_domain', message }]);
}

/** As Postgres computes it. */
const hashUrl = (url: string): string => createHash('md5').update(url).digest('hex');

function toPosition({ sort }: Pick<PageRequest, 'sort'>) {
  return sort === null ? null : { count: Number(sort[0]), hash: String(sort[1]) };
}

function present({ has_next: _, ...row }: Paged<CitedPageRow>, tracked: TrackedDomains): CitedUrl {
  return {
    ...row,
    ...presentDomain(row.domain, tracked),
    platforms: row.platforms as CitedUrl['platforms'],
    units_cited: row.citations,
    gap_rate: percent(row.units_gap, row.citations),
  };
}
