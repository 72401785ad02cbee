import { domainToUnicode } from 'node:url';
import { parse } from 'tldts';
import type { TrackedBrand } from './brand-matcher.ts';
import { raisedMark } from './compatible-text.ts';
import { fold, toWrittenForm } from './fold.ts';
import { nameVariants } from './name-variants.ts';
import { lettersIn, visibleName } from './visible-text.ts';

/** A text to search for, folded, and when an occurrence of it counts. */
export type Pattern = {
  text: string;
  brandIndex: number;
  /** `excluded`: a phrase in which no occurrence counts. */
  kind: 'name' | 'domain' | 'excluded';
  /** Number of letters and digits. Next to a short name, more characters make another word. */
  size: number;
  /** The name has no lower-case letter: written so, even a short name is a separate word ("VW-Konzern"). */
  capitals: boolean;
  /** The name has a raised mark ("C³ AI"). */
  raised: boolean;
  /** Label under which the brand's domain is registered ("amazon" of amazon.com). */
  domainLabel: string | null;
  /** An occurrence counts only as in `written`. */
  caseSensitive: boolean;
  /** The forms of the name that fold to the pattern. */
  written: ReadonlySet<string>;
};

/** The patterns of a brand. */
export function brandPatterns(brand: TrackedBrand, brandIndex: number): Pattern[] {
  const caseSensitive = brand.match?.caseSensitive === true;
  const domainLabel = parse(brand.domain).domainWithoutSuffix ?? null;
  const patterns = new Map<string, Pattern>();
  const add = (text: string, options: Pick<Pattern, 'kind'> & Partial<Pattern>): void => {
    const folded = fold(text.trim()).text;
    const pattern = {
      text: folded,
      brandIndex,
      size: lettersIn(folded),
      capitals: !/\p{Ll}/u.test(text),
      raised: raisedMark.test(text),
      domainLabel,
      caseSensitive,
      written: new Set([toWrittenForm(text.trim())]),
      ...options,
    };
    const key = `${pattern.kind === 'domain' ? 'name' : pattern.kind} ${pattern.text}`;
    const known = patterns.get(key);
    if (pattern.size > 0) patterns.set(key, known === undefined ? pattern : merge(known, pattern));
  };
  for (const name of [brand.name, ...brand.aliases].map(visibleName)) {
    for (const text of nameVariants(name)) add(text, { kind: isDomain(name) ? 'domain' : 'name' });
  }
  for (const domain of [brand.domain, domainToUnicode(brand.domain)])
    add(domain, { kind: 'domain', caseSensitive: false });
  for (const phrase of brand.match?.exclude ?? [])
    add(visibleName(phrase), { kind: 'excluded', caseSensitive: false });
  return [...patterns.values()];
}

/** Two forms of a name fold to the same text: the one with fewer conditions decides. */
function merge(a: Pattern, b: Pattern): Pattern {
  return {
    ...b,
    capitals: a.capitals || b.capitals,
    raised: a.raised || b.raised,
    caseSensitive: a.caseSensitive && b.caseSensitive,
    written: new Set([...a.written, ...b.written]),
  };
}

function isDomain(name: string): boolean {
  if (!name.includes('.')) return false;
  const parsed = parse(name);
  return parsed.isIcann === true && parsed.hostname === name.toLowerCase() && parsed.domain !== null;
}
