import { parse } from 'tldts';
import { raisedMark, raisedMarks } from '../text/compatible-text.ts';
import type { Span } from '../text/span.ts';
import type { Pattern } from './tracked-brand.ts';

const alphabetic = new RegExp(String.raw`(?![${raisedMarks}])[\p{L}\p{N}\p{M}]`, 'u');
const dictionaryScript =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}ー\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}]/u;
const hangul = /\p{Script=Hangul}/u;
/** Korean particles after a noun; any other syllable after a name makes it another word. */
const koreanParticles =
  /^(?:은|는|이|가|을|를|의|에|에서|에게|께서|와|과|도|로|으로|만|보다|처럼|부터|까지|나|이나|랑|이랑|하고|이며|며|고|이고|이다|다|입니다|라고|이라고|라는|이라는|인|뿐|조차|마저|밖에|요|이란|란|든|이든|이었다|였다){1,3}(?!\p{Script=Hangul})/u;
/** Languages whose genitive is a bare s: "Volvos bilar", "BMWs Strategie". */
const genitiveLanguages = new Set(['de', 'sv', 'da', 'no', 'nb', 'nn']);
/** Languages that drop a vowel before a name: "d'X", "l'IKEA". */
const elidingLanguages = new Set(['fr', 'it', 'ca']);
/** The remaining forms of such words, also used if the detected language is wrong. */
const elided = new Set('l d qu dell all nell sull dall quell un lorsqu puisqu jusqu'.split(' '));
/** Languages that write endings of names after an apostrophe: "Acme'nin", "Acme'a". */
const suffixingLanguages = new Set([
  'tr',
  'az',
  'pl',
  'cs',
  'hu',
  'fi',
  'et',
  'lt',
  'lv',
  'ro',
  'da',
  'no',
  'nb',
  'nn',
  'sv',
]);
/** Other endings after an apostrophe: with different letters it is another word ("Arc'teryx"). */
const contraction = /^['’](?:s|d|m|ll|re|ve)?(?![\p{L}\p{N}])/iu;
/** Country domains that are used as generic ones: acme.io is not a country site of Acme. */
const generalCountryDomains = new Set(['io', 'ai', 'co', 'me', 'tv', 'fm', 'gg', 'so', 'to', 'ly', 'cc']);
const minGenitiveSize = 3;
const shortNameSize = 2;

/** Whether a match is the name itself and not a part of another word. */
export function isWholeWord(text: string, span: Span, pattern: Pattern, language: string): boolean {
  // "5 m³" is not M3: a short name matches a raised mark only if it has one itself.
  const short = pattern.size <= shortNameSize && !pattern.raised;
  if (short && raisedMark.test(text.slice(span.start, span.end))) return false;
  return startsWord(text, span, pattern, language) && endsWord(text, span, pattern, language);
}

function startsWord(text: string, span: Span, pattern: Pattern, language: string): boolean {
  const { start } = span;
  const { kind } = pattern;
  const first = characterAt(text, start);
  const previous = characterBefore(text, start);
  if (dictionaryScript.test(first))
    return kind === 'excluded' || !dictionaryScript.test(previous) || isSegmentBoundary(text, start);
  if (hangul.test(first)) return !hangul.test(previous);
  // Also for a name that starts with a sign: ".NET" is not in "example.net".
  if (isAlphabetic(previous)) return false;
  if (!alphabetic.test(first)) return true;
  if (previous === '_') return !isAlphabetic(characterBefore(text, start - 1));
  if (kind === 'domain') return !/[-‐–]/.test(previous);
  if (/['’]/.test(previous)) return startsAfterApostrophe(text, start - 1, pattern, language);
  if (pattern.size <= shortNameSize && /[-‐–&+#]/.test(previous))
    return !isAlphabetic(characterBefore(text, start - 1)) || isHyphenated(text, span, pattern, 'before');
  // "www.acme" is a host, "…the end.Acme" is a sentence end without a space.
  if (previous === '.')
    return !isAlphabetic(characterBefore(text, start - 1)) || first !== first.toLowerCase();
  return true;
}

/** "l'IKEA" names IKEA; "O'Reilly" does not name Reilly. */
function startsAfterApostrophe(
  text: string,
  apostrophe: number,
  { size }: Pattern,
  language: string,
): boolean {
  const word = /[\p{L}\p{M}]{0,10}$/u.exec(text.slice(Math.max(0, apostrophe - 10), apostrophe))?.[0] ?? '';
  if (word === '' || elidingLanguages.has(language)) return true;
  return size > shortNameSize && elided.has(word.toLowerCase());
}

function endsWord(text: string, span: Span, pattern: Pattern, language: string): boolean {
  const { end } = span;
  const { kind } = pattern;
  const last = characterBefore(text, end);
  const next = characterAt(text, end);
  if (dictionaryScript.test(last))
    return kind === 'excluded' || !dictionaryScript.test(next) || isSegmentBoundary(text, end);
  if (hangul.test(last)) return !hangul.test(next) || koreanParticles.test(text.slice(end, end + 12));
  if (!alphabetic.test(last)) return true;
  if (isAlphabetic(next)) return isGenitive(text, span, pattern, language);
  if (next === '.' && /[\p{Ll}\p{N}]/u.test(characterAt(text, end + 1)))
    return isCountryDomain(text, span, pattern);
  if (next === '_') return !isAlphabetic(characterAt(text, end + 1));
  if (/['’]/.test(next))
    return suffixingLanguages.has(language) || contraction.test(text.slice(end, end + 4));
  if (kind === 'name' && pattern.size <= shortNameSize) return endsShortName(text, span, pattern, next);
  return true;
}

/** The name "X" does not match in "X-ray". */
function endsShortName(text: string, span: Span, pattern: Pattern, next: string): boolean {
  if (/[+#]/.test(next)) return false;
  if (!/[-‐–&]/.test(next) || !isAlphabetic(characterAt(text, span.end + 1))) return true;
  return isHyphenated(text, span, pattern, 'after');
}

/**
 * Whether a short name in a hyphenated word is a mention. "VW-Konzern" and "o2-Tarife" mention their brands. "X-ray" and
 * "on-site" in any case do not, nor do words in capitals ("TO-DO", "DIN-A1") and numbers ("K2-18b", "90-99").
 */
function isHyphenated(
  text: string,
  { start, end }: Span,
  pattern: Pattern,
  side: 'before' | 'after',
): boolean {
  const other =
    side === 'before'
      ? partBefore.exec(text.slice(Math.max(0, start - 41), start))
      : partAfter.exec(text.slice(end, end + 41));
  if (pattern.size < shortNameSize || other === null || !/\p{Ll}/u.test(other[1] ?? '')) return false;
  const written = text.slice(start, end);
  if (/^\p{N}+$/u.test(written)) return false;
  return /\p{N}/u.test(written) || (pattern.capitals && !/\p{Ll}/u.test(written));
}

/** The other part of a hyphenated word, if a letter is next to the hyphen. */
const partBefore = /([\p{L}\p{N}]{0,39}\p{L})[-‐–]$/u;
const partAfter = /^[-‐–](\p{L}[\p{L}\p{N}]{0,39})/u;

function isGenitive(text: string, { start, end }: Span, pattern: Pattern, language: string): boolean {
  if (pattern.kind !== 'name' || pattern.size < minGenitiveSize || !genitiveLanguages.has(language))
    return false;
  const first = characterAt(text, start);
  return (
    text.charAt(end) === 's' && first !== first.toLowerCase() && !isAlphabetic(characterAt(text, end + 1))
  );
}

/** "amazon.de" names Amazon (amazon.com); "next.js" does not name Next. */
export function isCountryDomain(text: string, { start, end }: Span, pattern: Pattern): boolean {
  if (pattern.kind !== 'name' || pattern.domainLabel === null) return false;
  const tail = /^(?:\.[a-z]{2,3}){1,2}(?![\p{L}\p{N}-])/u.exec(text.slice(end, end + 10))?.[0];
  if (tail === undefined) return false;
  const host = parse(text.slice(start, end).toLowerCase() + tail);
  const country = host.publicSuffix?.split('.').at(-1) ?? '';
  return (
    host.isIcann === true &&
    host.domainWithoutSuffix === pattern.domainLabel &&
    country.length === 2 &&
    !generalCountryDomains.has(country)
  );
}

function isAlphabetic(character: string): boolean {
  return alphabetic.test(character) && !dictionaryScript.test(character) && !hangul.test(character);
}

function characterAt(text: string, index: number): string {
  const code = index < 0 ? undefined : text.codePointAt(index);
  return code === undefined ? '' : String.fromCodePoint(code);
}

function characterBefore(text: string, index: number): string {
  const unit = text.charCodeAt(index - 1);
  return characterAt(text, unit >= 0xdc00 && unit <= 0xdfff ? index - 2 : index - 1);
}

const japanese = new Intl.Segmenter('ja', { granularity: 'word' });

/** Whether the index is a word boundary in a script without spaces, by ICU's dictionary over the surrounding run. */
function isSegmentBoundary(text: string, index: number): boolean {
  const maxRun = 64;
  let from = index;
  while (from > 0 && index - from < maxRun && dictionaryScript.test(characterBefore(text, from))) from -= 1;
  let to = index;
  while (to < text.length && to - index < maxRun && dictionaryScript.test(characterAt(text, to))) to += 1;
  for (const segment of japanese.segment(text.slice(from, to))) {
    if (from + segment.index === index) return true;
    if (from + segment.index > index) return false;
  }
  return index === to;
}
