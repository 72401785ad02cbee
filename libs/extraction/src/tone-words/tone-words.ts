/**
 * The words of one language. Entries are separated by commas or lines. "*" matches any ending, "~" up to three words,
 * "@" the name of a brand, "a|b" either word.
 */
export type ToneWords = {
  great: string;
  good: string;
  bad: string;
  awful: string;
  /** Words that evaluate only if they are negated: "does not work". */
  claim?: string;
  /** Nouns for what is bad about a thing. A turner before one makes it a task of the brand. */
  fault: string;
  /** Phrases that hold words of the lists above, but do not evaluate. */
  neutral?: string;
  not: string;
  /** Verbs and prepositions that turn what follows: "prevents", "against". */
  turner?: string;
  /** Words that halve what follows: "a bit". */
  softener?: string;
  condition?: string;
  /** Phrases that say that nothing is known about a brand. */
  void?: string;
  /** Nouns that say so if they are negated: "no information". */
  absence?: string;
  /** Verbs that start a new predicate: a turner does not reach beyond. */
  copula?: string;
  /** A negation may follow what it negates. */
  notFollows?: boolean;
  /** A turner may follow what it turns. */
  turnerFollows?: boolean;
  nounsInCapitals?: boolean;
  splitsApostrophes?: boolean;
  /** Words match at any position, because spaces do not separate them. */
  script?: 'spaced' | 'unspaced';
};
