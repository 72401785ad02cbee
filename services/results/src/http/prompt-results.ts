import {
  type Evidence,
  listPromptResults,
  maxWindowDays,
  platformSurfaces,
  type PromptResult,
} from '@bv/contract';
import { type Route, route } from '@bv/http';
import { buildPage, parseWindowedPage } from '@bv/pagination';
import type { Paged, Queryable } from '@bv/postgres';
import { type Context, getToday } from '../context.ts';
import { findTrackedDomains } from '../db/tracked-brands.ts';
import {
  hasUnits,
  listPromptResultRows,
  listUnitBrands,
  listUnitSources,
  type PromptResultRow,
  type UnitPage,
} from '../db/unit-lists.ts';
import { isTextKept, type KeptDays } from '../domain/retention.ts';
import { classifyDomain } from '../domain/source-category.ts';
import { readConsistentPage, toUnitPage } from './consistent-page.ts';
import { findPromptOfOrg } from './projections.ts';

export function listPromptResultsRoute(ctx: Context): Route {
  return route(listPromptResults, async ({ params, query }) => {
    const prompt = await findPromptOfOrg(ctx, params);
    const page = parseWindowedPage(
      ctx.cursors,
      {
        operation: listPromptResults.id,
        collection: [prompt.org_id, prompt.id, prompt.brand_id],
        filters: { platform: query.platform, country: query.country },
        today: getToday(ctx),
        maxDays: maxWindowDays.standard,
      },
      query,
    );
    const { result, token } = await readConsistentPage(
      ctx,
      { page, brandId: prompt.brand_id, preferIndexScan: true },
      async (tx, kept) => ({
        ...(await readPage(tx, { id: prompt.id, brandId: prompt.brand_id }, toUnitPage(page, kept))),
        kept,
      }),
    );
    return buildPage(ctx.cursors, page, {
      rows: result.units,
      toSortKey: (unit) => [unit.run_date, unit.finalized_at, unit.id],
      present: (unit) => present(unit, result),
      token,
    });
  });
}

async function readPage(db: Queryable, prompt: { id: string; brandId: string }, page: UnitPage) {
  const units = (await hasUnits(db, prompt.brandId, page))
    ? await listPromptResultRows(db, prompt, page)
    : [];
  // Without the extra row.
  const ids = units.slice(0, page.limit - 1).map((unit) => unit.id);
  return {
    units,
    brands: Map.groupBy(await listUnitBrands(db, prompt.brandId, ids), (row) => row.unit_id),
    sources: Map.groupBy(await listUnitSources(db, prompt.brandId, ids), (row) => row.unit_id),
    tracked: await findTrackedDomains(db, prompt.brandId),
  };
}

type ReadPage = Awaited<ReturnType<typeof readPage>> & { kept: KeptDays };

function present(unit: Paged<PromptResultRow>, page: ReadPage): PromptResult {
  const { job_id, has_next: _, ...row } = unit;
  const hasText = row.answer_text !== null && isTextKept(page.kept, row.run_date);
  return {
    ...row,
    answer_text: hasText ? row.answer_text : null,
    answer_truncated: hasText && row.answer_truncated,
    others: hasText ? (row.others ?? []).map(([name, , start, end]) => ({ name, start, end })) : [],
    informative: hasText ? row.informative : null,
    // Imported units have none.
    mention_method: row.mention_method ?? 'words',
    platform: row.platform as PromptResult['platform'],
    surface: row.surface ?? platformSurfaces[row.platform as PromptResult['platform']],
    scan_id: job_id,
    brands: (page.brands.get(unit.id) ?? []).map(({ unit_id: __, evidence, ...brand }) => ({
      ...brand,
      // Without the text, its offsets have no meaning.
      evidence: brand.mentioned && hasText ? toEvidence(evidence ?? []) : [],
    })),
    sources: (page.sources.get(unit.id) ?? []).map(({ unit_id: __, ...source }) => ({
      ...source,
      category: classifyDomain(source.domain, page.tracked),
    })),
  };
}

function toEvidence(pairs: readonly number[]): Evidence[] {
  return pairs.flatMap((start, index) =>
    index % 2 === 0 ? [{ start, end: pairs[index + 1] ?? start }] : [],
  );
}
