/**
 * How one language says that nothing is known of a brand. All phrases are written in this notation:
 *
 * - `a|b` alternatives, `( )` a group, `{name}` a part of the list `parts`
 * - `?` behind a word or group: it may be missing; `*3`: up to three times
 * - `~` any ending of a word, `_` any word, `:` a colon, dash or bracket behind a name
 * - `@` one or several brands of which nothing is known
 * - `$` the statement ends here or continues with `tail`, `!` it ends here
 * - `^` a sentence or clause starts here
 */
export type AbsenceWords = {
  /** Every statement contains one of these texts, so that a text without them needs no search. */
  cues: string;
  parts: Readonly<Record<string, string>>;
  /** Words before a name: "a company called". */
  intro: string;
  /** Further words that join the names of a list. */
  and?: string;
  /** Words before a name that is no subject: prepositions and, in German, articles. Spaces separate them. */
  prepositions?: string;
  /** Further words before a clause. Spaces separate them. */
  conjunctions?: string;
  /** What may follow a name without saying more of the brand: "in the search results". */
  tail: string;
  /** Endings of a name, which may follow an apostrophe or a colon. */
  endings?: string;
  /** Spaces do not separate words. */
  script?: 'unspaced';
  /** One phrase a line. */
  statements: string;
};
