import { randomUUID } from 'node:crypto';
import {
  currentMethodVersion,
  firstRunDate,
  type ImportedUnit,
  ImportLine,
  maxUnresolvedSources,
  platformSurfaces,
  type PromptResult,
} from '@bv/contract';
import { rankNames, readAnswer, type TrackedBrand } from '@bv/extraction';
import { normalizeSourceUrl, resolveLink, sourceDomain } from '@bv/source-url';
import type { z } from 'zod';

const maxReasons = 5;
const maxAnswerBytes = 32 * 1024;
const maxQuotedLength = 20;
const dayMs = 86_400_000;

type Source = Omit<PromptResult['sources'][number], 'category'>;
type NamedBrand = { id: string; name: string; domain: string };

/** The data an imported unit is validated against: the own brand, its competitors and the brand of the prompt. */
export type ImportSubject = {
  orgId: string;
  own: NamedBrand;
  competitors: NamedBrand[];
  /** All of them, to find other names in the answer. */
  tracked: readonly TrackedBrand[];
  promptBrandId: string;
  /** First day with units of the brand; null if every day is kept. */
  unitsFrom: string | null;
};

/** Rules for the times and the market of a line. `markets` is null if every market is accepted. */
export type ImportRules = { now: Date; markets: ReadonlySet<string> | null };

/** Parses an import line into its unit, or returns why it is invalid. */
export function parseImportLine(line: string): { unit: z.output<typeof ImportLine> } | { error: string } {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    return { error: 'not valid JSON' };
  }
  const parsed = ImportLine.safeParse(value);
  if (parsed.success) return { unit: parsed.data };
  const reasons = parsed.error.issues.map(({ path, message }) =>
    path.length === 0 ? message : `${path.join('.')}: ${message}`,
  );
  return { error: reasons.slice(0, maxReasons).join('; ') };
}

/** Returns why a time or the market of a line is invalid; undefined if all are valid. */
export function checkImportRules(
  { run_date: day, finalized_at: finalizedAt, country }: ImportedUnit,
  { now, markets }: ImportRules,
): string | undefined {
  const today = now.toISOString().slice(0, 10);
  if (day > today) return `run_date: ${day} is after today, ${today} (UTC)`;
  if (day < firstRunDate) return `run_date: ${day} is before ${firstRunDate}`;
  // It would stay the latest answer of its cell. The clocks of others differ a little.
  if (finalizedAt !== undefined && Date.parse(finalizedAt) > now.getTime() + dayMs) {
    return 'finalized_at: more than a day after now';
  }
  if (markets?.has(country) === false) {
    const name = country.length <= maxQuotedLength ? country : 'the country';
    return `country: ${name} is not a market`;
  }
  return undefined;
}

/** Returns why the day, the prompt or the brands of a line are invalid; undefined if they are valid. */
export function checkImportSubject(unit: ImportedUnit, subject: ImportSubject): string | undefined {
  if (subject.unitsFrom !== null && unit.run_date < subject.unitsFrom) {
    return `run_date: ${unit.run_date} is before ${subject.unitsFrom}, and units of earlier days are not kept`;
  }
  if (subject.promptBrandId !== unit.brand_id) return 'prompt_id: the prompt is not under this brand';
  const tracked = new Set([subject.own.id, ...subject.competitors.map(({ id }) => id)]);
  const untracked = unit.brands.findIndex(({ brand_id }) => !tracked.has(brand_id));
  if (untracked >= 0) return `brands.${untracked}.brand_id: neither the brand nor one of its competitors`;
  if (new Set(unit.brands.map(({ brand_id }) => brand_id)).size < unit.brands.length) {
    return 'brands: the same brand occurs more than once';
  }
  if (unit.outcome === 'no_answer' && unit.brands.some(({ position }) => position !== null)) {
    return 'brands: position must be null where outcome is no_answer';
  }
  return undefined;
}

/** Cuts text to a number of UTF-8 bytes without splitting a character. */
function truncate(text: string): { text: string; truncated: boolean } {
  const bytes = Buffer.from(text);
  if (bytes.length <= maxAnswerBytes) return { text, truncated: false };
  let end = maxAnswerBytes;
  while (((bytes[end] ?? 0) & 0xc0) === 0x80) end -= 1;
  return { text: bytes.subarray(0, end).toString(), truncated: true };
}

/** The same form as in scans: one source for a page, without tracking parameters, cited if any of its links is cited. */
function toSources({ sources, sources_unresolved: stated = 0 }: ImportedUnit) {
  const unresolved = new Set<string>();
  const pages = new Map<string, Omit<Source, 'position'>>();
  for (const { url: link, title = null, cited } of sources) {
    const raw = resolveLink(link);
    if (raw === null) {
      if (cited) unresolved.add(link);
      continue;
    }
    const { url, domain } = normalizeSourceUrl(raw) ?? { url: raw, domain: sourceDomain(raw) };
    const previous = pages.get(url);
    pages.set(url, {
      url,
      domain,
      title: previous?.title ?? title,
      cited: cited || previous?.cited === true,
    });
  }
  return {
    sources: Array.from(pages.values(), (page, index): Source => ({ position: index + 1, ...page })),
    sources_unresolved: Math.min(stated + unresolved.size, maxUnresolvedSources),
  };
}

function listOthers(answerText: string, sources: readonly Source[], brands: readonly TrackedBrand[]) {
  const read = readAnswer({ answerText, sources, brands });
  return rankNames(
    read.others,
    read.brands.flatMap(({ evidence: [first] }) => first?.start ?? []),
  );
}

/** Converts a line into a unit with every tracked brand. A brand that the line does not contain was not mentioned. */
export function toFinalisedUnit(unit: ImportedUnit, subject: ImportSubject, now: string) {
  const { sources, sources_unresolved } = toSources(unit);
  const citedDomains = new Set(sources.filter(({ cited }) => cited).map(({ domain }) => domain));
  const brandsById = new Map(unit.brands.map((brand) => [brand.brand_id, brand]));
  const answer = truncate(unit.answer_text ?? '');
  return {
    unit_id: unit.unit_id ?? randomUUID(),
    job_id: null,
    org_id: subject.orgId,
    brand_id: unit.brand_id,
    prompt_id: unit.prompt_id,
    platform: unit.platform,
    country: unit.country,
    run_date: unit.run_date,
    finalized_at: unit.finalized_at ?? now,
    outcome: unit.outcome,
    answer_text: unit.answer_text === undefined || unit.answer_text === null ? null : answer.text,
    answer_truncated: answer.truncated,
    model: unit.model ?? null,
    search_used: unit.search_used ?? null,
    localization: unit.localization ?? ('none' as const),
    search_queries: unit.search_queries ?? [],
    surface: unit.surface === platformSurfaces[unit.platform] ? null : (unit.surface ?? null),
    collector: unit.collector ?? null,
    // The importer's own reading. Later versions count it as one by the version of the import.
    method_version: currentMethodVersion,
    sentiment_method: null,
    mention_method: null,
    brands: [subject.own, ...subject.competitors].map((brand) => {
      const brandInLine = brandsById.get(brand.id);
      const position = brandInLine?.position ?? null;
      return {
        brand_id: brand.id,
        name: brand.name,
        domain: brand.domain,
        is_own: brand.id === subject.own.id,
        mentioned: position !== null,
        mention_count: position === null ? 0 : (brandInLine?.mention_count ?? 1),
        position,
        sentiment: position === null ? null : (brandInLine?.sentiment ?? null),
        cited: brandInLine?.cited ?? citedDomains.has(sourceDomain(brand.domain)),
        evidence: null,
        means_brand: null,
      };
    }),
    others: unit.outcome === 'answered' ? listOthers(answer.text, sources, subject.tracked) : undefined,
    sources,
    sources_unresolved: unit.outcome === 'answered' ? sources_unresolved : 0,
  };
}
