import { type DiscoveredBrand, listDiscoveredBrands, maxWindowDays } from '@bv/contract';
import { trackedAmong } from '@bv/extraction';
import { type Route, route } from '@bv/http';
import { buildPage, parseWindowedPage } from '@bv/pagination';
import type { Transaction } from '@bv/postgres';
import { rateBounds } from '@bv/statistics';
import { type Context, getToday } from '../context.ts';
import { listPromptUnits, type PromptUnits } from '../db/coverage.ts';
import { type DiscoveredRow, listDiscoveredRows, type NamePosition } from '../db/discovered-names.ts';
import { findTrackedBrands, toTrackedBrand } from '../db/tracked-brands.ts';
import { hasUnits, type UnitFilters } from '../db/unit-lists.ts';
import { round2, toBounds } from '../domain/formulas.ts';
import { nameKind } from '../domain/name-kind.ts';
import { readConsistentPage, toUnitFilters } from './consistent-page.ts';
import { findOwnBrand } from './projections.ts';

const defaultMinUnits = 2;
const maxSpellings = 5;
/** The bounds of a row pool the prompts of the window, so that the memory of a page is bounded. */
const maxPagePrompts = 100_000;

export function listDiscoveredBrandsRoute(ctx: Context): Route {
  return route(listDiscoveredBrands, async ({ params, query }) => {
    const brand = await findOwnBrand(ctx, params);
    const isFirst = query.cursor === undefined;
    const minUnits = isFirst ? (query.min_units ?? defaultMinUnits) : query.min_units;
    const page = parseWindowedPage(
      ctx.cursors,
      {
        operation: listDiscoveredBrands.id,
        collection: [brand.org_id, brand.id],
        filters: { platform: query.platform, country: query.country, min_units: minUnits?.toString() },
        today: getToday(ctx),
        maxDays: maxWindowDays.sources,
      },
      query,
    );
    const [units, key] = page.sort ?? [];
    const request = {
      ...toUnitFilters(page),
      minUnits: Number(page.filters.min_units),
      after: page.sort === null ? null : { units: Number(units), key: String(key) },
      limit: page.limit,
    };
    const { result, token } = await readConsistentPage(ctx, { page, brandId: brand.id }, (tx) =>
      readRows(tx, brand.id, request),
    );
    return buildPage(ctx.cursors, page, {
      rows: result.rows,
      toSortKey: (row) => [row.units_mentioned, row.key],
      present: (row) => present(row, result.prompts),
      token,
    });
  });
}

type Request = UnitFilters & { minUnits: number; after: NamePosition | null; limit: number };

async function readRows(tx: Transaction, brandId: string, request: Request) {
  if (!(await hasUnits(tx, brandId, request))) return { rows: [], prompts: [] };
  const prompts = await listPromptUnits(tx, brandId, request);
  const limit = Math.max(
    1,
    Math.min(request.limit, Math.floor(maxPagePrompts / Math.max(1, prompts.length))),
  );
  const rows = await listUntracked(tx, brandId, { ...request, limit });
  const page = rows.slice(0, limit);
  return {
    rows: page.map((row, index) => ({ ...row, has_next: index === page.length - 1 && rows.length > limit })),
    prompts,
  };
}

/** One row more than the limit. Days that are not reprocessed yet still have the names of new competitors. */
async function listUntracked(tx: Transaction, brandId: string, request: Request): Promise<DiscoveredRow[]> {
  const { brands } = await findTrackedBrands(tx, brandId);
  const tracked = brands.map(toTrackedBrand);
  const untracked: DiscoveredRow[] = [];
  const limit = request.limit + 1;
  let { after } = request;
  do {
    const rows: DiscoveredRow[] = await listDiscoveredRows(tx, brandId, { ...request, after, limit });
    const names = rows.flatMap(spellings);
    const covered = listLanguages(rows).map((language) => trackedAmong(names, tracked, language));
    untracked.push(
      ...rows.filter((row) => !spellings(row).some((name) => covered.some((set) => set.has(name)))),
    );
    const last = rows.length === limit ? rows.at(-1) : undefined;
    after = last === undefined ? null : { units: last.units_mentioned, key: last.key };
  } while (untracked.length < limit && after !== null);
  return untracked.slice(0, limit);
}

/** The LLM judge may have given a spelling the key of a name that is tracked now. */
const spellings = ({ key, names }: DiscoveredRow): string[] => [key, ...names];

/** English and the likely languages of the markets. An imported market may be no country. */
function listLanguages(rows: readonly DiscoveredRow[]): string[] {
  const countries = new Set(rows.flatMap((row) => row.countries));
  const languages = [...countries]
    .filter((country) => /^[A-Z]{2}$/.test(country))
    .map((country) => new Intl.Locale('und', { region: country }).maximize().language);
  return [...new Set(['en', ...languages])];
}

function present(
  row: DiscoveredRow & { has_next: boolean },
  prompts: readonly PromptUnits[],
): DiscoveredBrand {
  const { names, domain, prompt_ids, prompt_units, judged_kind, countries: _, has_next: __, ...rest } = row;
  const mentions = new Map(prompt_ids.map((id, index) => [id, prompt_units[index] ?? 0]));
  const bounds = rateBounds(
    row.mention_rate,
    prompts.map((prompt) => prompt.units_read),
    prompts.map(({ prompt_id }) => mentions.get(prompt_id) ?? 0),
  );
  return {
    ...rest,
    name: names[0] ?? row.key,
    spellings: names.slice(0, maxSpellings),
    suggested_domain: domain,
    kind: nameKind({ key: row.key, domain, judged: judged_kind }),
    mention_rate: round2(row.mention_rate),
    ...toBounds('mention_rate', bounds),
    prompts: prompt_ids.length,
    platforms: row.platforms as DiscoveredBrand['platforms'],
    average_position: round2(row.average_position),
    examples: row.examples.map(({ id, ...span }) => ({ result_id: id, ...span })),
  };
}
