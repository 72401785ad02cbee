import type { Stem } from './case-endings.ts';

/** A brand to search for. The matcher ignores `isOwn`; it is part of the result. */
export type TrackedBrand = {
  id: string;
  name: string;
  domain: string;
  aliases: readonly string[];
  isOwn: boolean;
  /** Without rules, every occurrence counts, in upper and lower case. */
  match?: MatchRules;
};

/** A brand's rules for its occurrences. */
type MatchRules = {
  /** The name and the aliases count only as written ("Target", not "target"). */
  caseSensitive: boolean;
  /** Phrases in which an occurrence does not count ("target audience"). */
  exclude: readonly string[];
  /** A mention counts only if the LLM judge confirms it. The matcher ignores this. */
  verify: boolean;
};

/**
 * A way to write a name. `casing` says which letters count in a text: any, those that start with a capital, those with
 * a capital in each word, these outside of a longer name, or only the same ones.
 */
export type Variant = { text: string; casing: 'any' | 'capital' | 'capitals' | 'alone' | 'exact' };

/** A text to search for, folded, and when an occurrence of it counts. */
export type Pattern = {
  text: string;
  brandIndex: number;
  /** `stem`: an ending must follow. `excluded`: a phrase in which no occurrence counts. */
  kind: 'name' | 'domain' | 'stem' | 'excluded';
  /** Number of letters and digits. Next to a short name, more characters make another word. */
  size: number;
  /** The name has no lower-case letter: written so, even a short name is a separate word ("VW-Konzern"). */
  capitals: boolean;
  /** The name has a raised mark ("C³ AI"). */
  raised: boolean;
  /** Label under which the brand's domain is registered ("amazon" of amazon.com). */
  domainLabel: string | null;
  casing: Variant['casing'];
  /** An occurrence counts only as in `written`. */
  caseSensitive: boolean;
  /** The forms of the name that fold to the pattern, empty if letters of any case count. */
  written: ReadonlySet<string>;
  stem: Omit<Stem, 'text'> | null;
};
