import type { BrandWarning, MatchRules } from '@bv/contract';

/** The first language in which a folded word is ordinary. */
export type FindLanguage = (word: string) => string | undefined;

/** Folds a word for comparison with a list: case, width and accents do not count. */
export function foldWord(word: string): string {
  const lower = word.toLowerCase();
  // oxlint-disable-next-line no-control-regex -- most words are ASCII, which needs no normalisation
  if (/^[\u0000-\u007f]*$/.test(lower)) return lower;
  return lower.normalize('NFKD').replaceAll(/[\u0300-\u036f]/g, '');
}

/** Languages of countries with several. Of others, the most likely language of CLDR is used. */
const severalLanguages: Record<string, string[]> = {
  BE: ['nl', 'fr', 'de'],
  CA: ['en', 'fr'],
  CH: ['de', 'fr', 'it'],
  FI: ['fi', 'sv'],
  ZA: ['en', 'af'],
};

/** ISO 639-1 codes of the languages of the countries. English is first, because every country uses its words. */
export function toLanguages(countries: Iterable<string>): string[] {
  const languages = [...countries].flatMap(
    (country) => severalLanguages[country] ?? [new Intl.Locale(`und-${country}`).maximize().language],
  );
  return [...new Set(['en', ...languages.toSorted()])];
}

const languageNames = new Intl.DisplayNames('en', { type: 'language' });

/**
 * Warns of names and aliases that are ordinary words, unless a match rule distinguishes the brand from the word. Names of
 * several words and names with a dot are specific enough.
 */
export function findBrandWarnings(
  { name, aliases, match }: { name: string; aliases: readonly string[]; match: MatchRules },
  findLanguage: FindLanguage,
): BrandWarning[] {
  if (match.case_sensitive || match.verify || match.exclude.length > 0) return [];
  const warn = (field: BrandWarning['field'], value: string): BrandWarning[] => {
    const language = /[\s.]/.test(value) ? undefined : findLanguage(foldWord(value));
    if (language === undefined) return [];
    const message =
      `"${value}" is an ordinary word in ${languageNames.of(language) ?? language}. Set match.case_sensitive or ` +
      'match.verify, list phrases in match.exclude, or use a more specific name or alias.';
    return [{ code: 'common_word', field, value, language, message }];
  };
  return [...warn('name', name), ...aliases.flatMap((alias) => warn('aliases', alias))];
}
