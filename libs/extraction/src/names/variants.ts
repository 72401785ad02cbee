import { lettersIn } from '../text/visible-text.ts';
import { withoutLegalForm } from './legal-forms.ts';
import { markVariants, umlautVariants } from './marks.ts';
import type { Variant } from './tracked-brand.ts';

/** Words for "&" by language. The first one of a language in Latin letters also stands for "&" in a name. */
const ampersandWords: Record<string, string> = {
  en: 'and',
  de: 'und',
  fr: 'et',
  es: 'y e',
  it: 'e ed',
  pt: 'e',
  nl: 'en',
  sv: 'och',
  da: 'og',
  no: 'og',
  pl: 'i oraz',
  cs: 'a',
  fi: 'ja',
  hu: 'és',
  ms: 'dan',
  tl: 'at',
  tr: 've',
  hi: 'और व एंड',
  ko: '앤 앤드 와 과',
  ja: 'と アンド',
  zh: '和',
};
/** Words for "&" that may be part of a name. Shorter ones are other words in many names. */
const ampersandInName = /(?<=\S)\s(?:and|und|et|och|og|oraz|dan|ve|és)\s(?=\S)/giu;
const unspacedLanguages = new Set(['ja', 'zh', 'ko']);
const minJoinedLetters = 6;
const minHangulLetters = 4;
/** A longer name would have a variant for each of its places. */
const maxHangulLetters = 12;

/** Whether the variants of a name depend on the language of the answer. */
export function hasAmpersand(name: string): boolean {
  return name.includes('&') || name.search(ampersandInName) !== -1;
}

/** The name, and its parts that are also names: without its legal form, without "The". */
export function shortNames(name: string, domainLabel: string): Variant[] {
  const short = withoutLegalForm(name, domainLabel);
  const names: Variant[] = [{ text: name, casing: 'any' }, ...(short === null ? [] : [short])];
  return names.flatMap(withoutArticle);
}

/** The ways to write a short name that need no alias, in an answer in a language. The name itself is the first. */
export function nameVariants(name: Variant, language: string): Variant[] {
  const written = ampersandVariants(name, language).flatMap(markVariants).flatMap(umlautVariants);
  return name.text.includes('&') ? written : [...written, ...written.flatMap(spaceVariants)];
}

/** "The North Face": "North Face". A single word is too common ("The Gap"). */
function withoutArticle(variant: Variant): Variant[] {
  const rest = /^The (?=\S+\s\S)/.test(variant.text) ? variant.text.slice(4) : null;
  return rest === null ? [variant] : [variant, { text: rest, casing: 'capitals' }];
}

/** "Marks & Spencer": "Marks&Spencer", "Marks and Spencer", and "Marks und Spencer" in German. */
function ampersandVariants(variant: Variant, language: string): Variant[] {
  const text = variant.text.replace(ampersandInName, ' & ');
  if (!text.includes('&')) return [variant];
  const parts = text.split(/\s?&\s?/);
  const forms = ['&', ' & ', ' + '];
  // "&" may be at an end of the name ("B&").
  if (parts.every((part) => lettersIn(part) > 0)) {
    const words = ampersandWords[language]?.split(' ') ?? [];
    forms.push(' and ', ...words.map((word) => ` ${word} `));
    if (unspacedLanguages.has(language)) forms.push(...words);
  }
  return [variant, ...forms.map((form) => ({ ...variant, text: parts.join(form) }))];
}

/** The dot of "Otterly.AI". Not that of initials ("J.Crew"). */
const dotAi = /\.(?=AI$)/iu;
const innerDot = /(?<=[\p{L}\p{N}]{2})\.(?=[\p{L}\p{N}]{2})/gu;
/** Where a name in one word may have a space: "Demand|IQ", "T|Mobile", "Office|365". */
const wordStart = /(?<=\p{Ll})(?=[\p{Lu}\p{N}])|(?<=^\p{Lu}|\p{Lu}{2})(?=\p{Lu}\p{Ll})/gu;
const wordBreak = /(?<=[\p{L}\p{N}ー])[\s・‐-–-](?=[\p{L}\p{N}])/gu;
const hangulOnly = /^\p{Script=Hangul}+$/u;
const katakana = /\p{Script=Katakana}/u;

/**
 * "Open Hands" is also "OpenHands" and the reverse, and "Otterly.AI" is "OtterlyAI" and "Otterly AI", if the text has
 * capitals like a name: "open hands" are words. In Korean, spaces between the parts of a name are free.
 */
function spaceVariants(variant: Variant): Variant[] {
  const { text, casing } = variant;
  const joined = text.replace(wordBreak, '').replace(innerDot, '');
  const isHangul = hangulOnly.test(joined);
  if (lettersIn(joined) < (isHangul ? minHangulLetters : minJoinedLetters)) return [];
  const variants: Variant[] = [];
  const add = (each: string, needed: Variant['casing']): void => {
    if (each !== text) variants.push({ text: each, casing: casing === 'exact' ? casing : needed });
  };
  add(joined, 'capital');
  add(text.replace(wordStart, ' '), 'capitals');
  add(text.replace(dotAi, ' '), 'capitals');
  if (katakana.test(text)) for (const mark of ' ・') add(text.replace(wordBreak, mark), casing);
  const isSplit = isHangul && joined.length <= maxHangulLetters;
  for (let at = 2; isSplit && at <= joined.length - 2; at += 1)
    add(`${joined.slice(0, at)} ${joined.slice(at)}`, casing);
  return variants;
}
