import {
  type BreakdownBy,
  type BreakdownRow,
  type BreakdownSeries,
  listBreakdown,
  maxWindowDays,
  type PromptKind,
  validationError,
} from '@bv/contract';
import { type Route, route } from '@bv/http';
import { buildPage, parseWindowedPage } from '@bv/pagination';
import type { Paged, Transaction } from '@bv/postgres';
import { type Context, getToday } from '../context.ts';
import {
  type BreakdownQuery,
  listSliceKeys,
  listSlices,
  narrowToPage,
  type SliceKey,
} from '../db/breakdown.ts';
import { listCompetitorSets } from '../db/cell-days.ts';
import { countPrompts, listMeasuredPrompts, listPromptTexts } from '../db/prompts.ts';
import { findTrackedBrands, toTrackedBrand } from '../db/tracked-brands.ts';
import {
  classifyPrompts,
  type PromptKinds,
  type PromptText,
  selectPrompts,
} from '../domain/prompt-slices.ts';
import { readConsistentPage } from './consistent-page.ts';
import { presentSlice, toSliceId } from './present-slice.ts';
import { findOwnBrand } from './projections.ts';

/** A page has at most so many bytes of JSON, and its rows pool at most so many prompts, so that its memory is bounded. */
const maxPageBytes = 2_000_000;
const maxPagePrompts = 100_000;
const rowBytes = 2_500;
const competitorBytes = 150;

export function listBreakdownRoute(ctx: Context): Route {
  return route(listBreakdown, async ({ params, query }) => {
    const brand = await findOwnBrand(ctx, params);
    const isFirst = query.cursor === undefined;
    if (isFirst && query.by === undefined) {
      const message = 'by is required on the first page';
      throw validationError([{ path: 'by', code: 'invalid_type', message }]);
    }
    const page = parseWindowedPage(
      ctx.cursors,
      {
        operation: listBreakdown.id,
        collection: [brand.org_id, brand.id],
        filters: {
          by: query.by,
          series: isFirst ? (query.series ?? 'none') : query.series,
          platform: query.platform,
          country: query.country,
          tag: query.tag,
          prompt_kind: query.prompt_kind,
        },
        today: getToday(ctx),
        maxDays: maxWindowDays.standard,
      },
      query,
    );
    const after = page.sort === null ? null : { key: String(page.sort[0]), date: toDate(page.sort[1]) };
    const { result, token } = await readConsistentPage(ctx, { page, brandId: brand.id }, (tx) =>
      readRows(tx, {
        brandId: brand.id,
        window: page.window,
        platform: page.filters.platform ?? null,
        country: page.filters.country ?? null,
        // A cursor has both, because its first page did.
        by: page.filters.by as BreakdownBy,
        series: page.filters.series as BreakdownSeries,
        tag: page.filters.tag ?? null,
        kind: (page.filters.prompt_kind as PromptKind | undefined) ?? null,
        after,
        limit: page.limit,
      }),
    );
    return buildPage(ctx.cursors, page, {
      rows: result,
      toSortKey: (row) => [row.key, row.date],
      present: ({ has_next: _, ...row }) => row,
      token,
    });
  });
}

const toDate = (value: string | number | null | undefined): string | null =>
  typeof value === 'string' ? value : null;

type Request = Omit<BreakdownQuery, 'prompts' | 'keys' | 'range'> & {
  tag: string | null;
  kind: PromptKind | null;
  after: SliceKey | null;
  limit: number;
};

async function readRows(tx: Transaction, request: Request): Promise<Paged<BreakdownRow>[]> {
  const { by, tag, kind, brandId } = request;
  const { brands } = await findTrackedBrands(tx, brandId);
  const usesPrompts = ['prompt', 'tag', 'prompt_kind'].includes(by) || tag !== null || kind !== null;
  const known = usesPrompts ? await listPromptTexts(tx, brandId) : [];
  const classify = (of: readonly PromptText[]): Promise<PromptKinds> =>
    classifyPrompts(of, brands.map(toTrackedBrand));
  const selects = by === 'prompt_kind' || kind !== null;
  // A brand may have any number of inactive prompts.
  const measured = selects ? await listMeasuredPrompts(tx, brandId, request.window) : null;
  const prompts = known.filter(({ id }) => measured?.has(id) ?? true);
  const selecting: PromptKinds = selects ? await classify(prompts) : new Map();
  const query = { ...request, prompts: selectPrompts(prompts, selecting, request), keys: null, range: null };
  const competitors = brands
    .filter(({ is_own }) => !is_own)
    .toSorted((a, b) => byText(a.name, b.name) || byText(a.id, b.id));
  const promptsOfRow = by === 'prompt' ? 1 : await countPrompts(tx, brandId);
  const limit = Math.min(request.limit, toMaxRows(competitors.length, promptsOfRow));
  const keys = await listSliceKeys(tx, query, { after: request.after, limit: limit + 1 });
  const page = keys.slice(0, limit);
  const sets = await listCompetitorSets(tx, brandId);
  const slices = await listSlices(tx, narrowToPage(query, page), {
    competitors: competitors.length,
    places: sets.map(({ id, competitor_ids }) => ({
      id,
      places: competitors.map((each) => competitor_ids.indexOf(each.id) + 1 || null),
    })),
  });
  const keysOfPage = new Set(page.map(({ key }) => key));
  const kinds =
    by === 'prompt' && !selects ? await classify(prompts.filter(({ id }) => keysOfPage.has(id))) : selecting;
  const context = { by, competitors, kinds, prompts: new Map(prompts.map((prompt) => [prompt.id, prompt])) };
  const sliceById = new Map(slices.map((slice) => [toSliceId(slice), slice]));
  return page.flatMap((key, index) => {
    const slice = sliceById.get(toSliceId(key));
    const has_next = index === page.length - 1 && keys.length > page.length;
    return slice === undefined ? [] : [{ ...presentSlice(slice, context), has_next }];
  });
}

const byText = (a: string, b: string): number => (a < b ? -1 : Number(a > b));

function toMaxRows(competitors: number, promptsOfRow: number): number {
  const bySize = maxPageBytes / (rowBytes + competitorBytes * competitors);
  return Math.max(1, Math.floor(Math.min(bySize, maxPagePrompts / Math.max(1, promptsOfRow))));
}
