/** A brand's rules for its occurrences. */
export type MatchRules = {
  /** The name and the aliases count only as written ("Target", not "target"). */
  caseSensitive: boolean;
  /** Phrases in which an occurrence does not count ("target audience"). */
  exclude: readonly string[];
  /** A mention counts only if the LLM judge model confirms it. The matcher ignores this. */
  verify: boolean;
};
