import { domainToUnicode } from 'node:url';
import { parse } from 'tldts';
import { raisedMark } from '../text/compatible-text.ts';
import { fold, toWrittenForm } from '../text/fold.ts';
import { lettersIn, visibleName } from '../text/visible-text.ts';
import { nameStems } from './case-endings.ts';
import { toLetters } from './legal-forms.ts';
import type { Pattern, TrackedBrand, Variant } from './tracked-brand.ts';
import { nameVariants, shortNames } from './variants.ts';

const noForms: ReadonlySet<string> = new Set();
/** A longer name counts as written, and without its legal form and article. */
const maxFormsLength = 60;
/** One brand must not slow down the search for all. Its further names count as longer ones do. */
const maxForms = 200;
const casings: readonly Variant['casing'][] = ['any', 'capital', 'capitals', 'alone', 'exact'];
/** A shorter label of a domain may be an ordinary word. */
const minLabelLetters = 6;

type PatternOptions = Pick<Pattern, 'kind' | 'casing'> & Partial<Pattern>;

/** The patterns of a brand for an answer in a language. `products` are its names without their maker. */
export function brandPatterns(
  brand: TrackedBrand,
  brandIndex: number,
  language: string,
  products: readonly string[] = [],
): Pattern[] {
  const caseSensitive = brand.match?.caseSensitive === true;
  const domainLabel = parse(brand.domain).domainWithoutSuffix ?? null;
  const patterns = new Map<string, Pattern>();
  const stems: Pattern[] = [];
  const add = (text: string, options: PatternOptions): void => {
    const pattern = createPattern(text, { brandIndex, domainLabel, caseSensitive, ...options });
    if (pattern.kind === 'stem') {
      stems.push(pattern);
      return;
    }
    const key = `${pattern.kind === 'excluded'} ${pattern.text}`;
    const known = patterns.get(key);
    if (pattern.size > 0) patterns.set(key, known === undefined ? pattern : merge(known, pattern));
  };
  const isFull = (): boolean => patterns.size + stems.length >= maxForms;
  for (const name of [brand.name, ...brand.aliases].map(visibleName)) {
    for (const short of shortNames(name, domainLabel ?? '')) {
      add(short.text, nameOptions(short));
      for (const [text, options] of isFull() ? [] : furtherForms(short, language))
        if (!isFull()) add(text, options);
    }
  }
  const withoutMaker = products.map((text): Variant => ({ text, casing: 'alone' }));
  for (const { text, casing } of [...labelNames(brand, domainLabel), ...withoutMaker])
    add(text, { kind: 'name', casing });
  for (const domain of [brand.domain, domainToUnicode(brand.domain)])
    add(domain, { kind: 'domain', casing: 'any', caseSensitive: false });
  for (const phrase of brand.match?.exclude ?? [])
    add(visibleName(phrase), { kind: 'excluded', casing: 'any', caseSensitive: false });
  return [...patterns.values(), ...stems];
}

/** The label of the domain if it is the name: "kindletopdf" of kindletopdf.com is "Kindle to PDF" in any case. */
function labelNames({ name, aliases, match }: TrackedBrand, domainLabel: string | null): Variant[] {
  const label = toLetters(domainLabel ?? '');
  if (match?.caseSensitive === true || label.length < minLabelLetters) return [];
  return [name, ...aliases].some((each) => toLetters(each) === label) ? [{ text: label, casing: 'any' }] : [];
}

function nameOptions({ text, casing }: Variant): PatternOptions {
  return isDomain(text) ? { kind: 'domain', casing: 'any' } : { kind: 'name', casing };
}

/** The ways to write a short name and its stems. */
function furtherForms(short: Variant, language: string): [text: string, options: PatternOptions][] {
  if (short.text.length > maxFormsLength) return [];
  return [
    ...nameVariants(short, language).map((variant): [string, PatternOptions] => [
      variant.text,
      nameOptions(variant),
    ]),
    ...nameStems(short.text, language).map((stem): [string, PatternOptions] => [
      stem.text,
      { kind: 'stem', casing: 'capital', stem },
    ]),
  ];
}

function createPattern(
  text: string,
  options: PatternOptions & Pick<Pattern, 'brandIndex' | 'domainLabel' | 'caseSensitive'>,
): Pattern {
  const folded = fold(text.trim()).text;
  const isAnyCase = !options.caseSensitive && options.casing === 'any';
  return {
    text: folded,
    size: lettersIn(folded),
    capitals: !/\p{Ll}/u.test(text),
    raised: raisedMark.test(text),
    written: isAnyCase ? noForms : new Set([toWrittenForm(text.trim())]),
    stem: null,
    ...options,
  };
}

/** Two forms of a name fold to the same text: the one with fewer conditions decides. */
function merge(a: Pattern, b: Pattern): Pattern {
  return {
    ...b,
    capitals: a.capitals || b.capitals,
    raised: a.raised || b.raised,
    casing: casings[Math.min(casings.indexOf(a.casing), casings.indexOf(b.casing))] ?? 'any',
    caseSensitive: a.caseSensitive && b.caseSensitive,
    written: new Set([...a.written, ...b.written]),
  };
}

function isDomain(name: string): boolean {
  if (!name.includes('.')) return false;
  const parsed = parse(name);
  return parsed.isIcann === true && parsed.hostname === name.toLowerCase() && parsed.domain !== null;
}
