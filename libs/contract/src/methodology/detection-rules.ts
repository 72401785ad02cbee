/** How answers are searched for brands, in plain words. */
export const detectionRules: readonly string[] = [
  'Only the final text of an answer is read, as a reader sees it: without narration before a search, thoughts, control marks and source chips.',
  'A brand is mentioned if its name, an alias or its domain occurs as whole words. Text and names are compared after NFKC, case folding and accent folding.',
  'Forms of a name need no alias: without its legal form, joined or split words, without a dot, as in its domain, "and" for "&", umlauts written out, and case endings. A product counts without its maker if the domain names the maker and two words remain.',
  'Match rules of a brand: `case_sensitive` counts a name only as written, `exclude` ignores occurrences inside a phrase, `verify` needs the confirmation of the LLM judge.',
  'An occurrence inside a statement that nothing is known of the brand is no mention.',
  'An occurrence inside a longer name of another tracked brand that counts is no mention: "Acme Cloud" does not mention Acme. Equal names count for both.',
  'An address counts where the text shows it. The target of a link does not count, nor an address that is the label of a link.',
  'The position is the rank by first occurrence among the own brand and its tracked competitors.',
  'A brand is cited if the answer cites a page of its registrable domain, as the Public Suffix List defines it.',
  'A link behind a redirect of a platform is a source of the page that the answer names, or of its site. Otherwise it is unresolved and no source.',
  'A unit without a text is `no_answer` only with a stated reason, such as a refusal, a filter or no overview. It is outside every rate and mean.',
  'A failed unit has no result and is outside every figure. It never counts as "not mentioned".',
];
