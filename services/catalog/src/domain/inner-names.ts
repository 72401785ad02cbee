import type { BrandWarning } from '@bv/contract';
import { foldWord } from './brand-warnings.ts';

type NamedBrand = { id: string; name: string; aliases: readonly string[] };
type Name = { brand: NamedBrand; field: BrandWarning['field']; value: string; words: string[]; key: string };

/** Scripts without spaces have no words here: each of their characters may start and end a name. */
const unspaced = String.raw`\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}ー\p{Script=Thai}`;
const word = new RegExp(String.raw`[${unspaced}]|(?:(?![${unspaced}])[\p{L}\p{N}\p{M}])+`, 'gu');
/** Limits of the work for names of 200 characters. What they omit only lacks its warning. */
const maxWords = 12;
const maxPartWords = 6;
const maxLongerNames = 4;

/** Warns of names that stand inside a longer name of another of the brands. The result has the id of the brand as key. */
export function findInnerNames(brands: readonly NamedBrand[]): ReadonlyMap<string, BrandWarning[]> {
  const names = brands.flatMap(toNames);
  const longerNames = new Map<string, Name[]>(names.map(({ key }) => [key, []]));
  for (const name of names) {
    for (const part of listParts(name.words)) {
      const longer = longerNames.get(part);
      if (longer !== undefined && longer.length < maxLongerNames && longer.at(-1)?.brand !== name.brand)
        longer.push(name);
    }
  }
  return new Map(
    Array.from(
      Map.groupBy(names, ({ brand }) => brand),
      ([{ id }, own]) => [id, findWarnings(own, longerNames)],
    ),
  );
}

/** A brand that has the longer name too is mentioned by it, and needs no warning. */
function findWarnings(own: readonly Name[], longerNames: ReadonlyMap<string, Name[]>): BrandWarning[] {
  const keys = new Set(own.map(({ key }) => key));
  return own.flatMap((name) => {
    const longer = longerNames
      .get(name.key)
      ?.find(({ brand, key }) => brand !== name.brand && !keys.has(key));
    return longer === undefined ? [] : [toWarning(name, longer)];
  });
}

function toNames(brand: NamedBrand): Name[] {
  const toName = (field: Name['field'], value: string): Name => {
    const words = foldWord(value).match(word) ?? [];
    return { brand, field, value, words, key: words.join(' ') };
  };
  return [toName('name', brand.name), ...brand.aliases.map((alias) => toName('aliases', alias))];
}

/** The runs of words that are shorter than the whole. */
function listParts(words: readonly string[]): string[] {
  return words.slice(0, maxWords).flatMap((_, start) => {
    const length = Math.min(maxPartWords, words.length - 1, words.length - start);
    return Array.from({ length }, (__, index) => words.slice(start, start + index + 1).join(' '));
  });
}

function toWarning({ field, value }: Name, longer: Name): BrandWarning {
  const message =
    `"${value}" stands inside "${longer.value}", a name of ${longer.brand.name}. An answer that says ` +
    `"${longer.value}" does not mention this brand. If it should, add "${longer.value}" as an alias.`;
  return {
    code: 'inside_other_name',
    field,
    value,
    language: 'und',
    other_brand_id: longer.brand.id,
    message,
  };
}
