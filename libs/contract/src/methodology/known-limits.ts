/** What the figures cannot show, in plain words, by topic. */
export const knownLimitsByTopic = {
  single_answers:
    'A unit is one answer. The same prompt can get another answer a minute later, so read a rate with `units_answered` and its bounds.',
  day_bounds:
    'The bounds of a day treat answers as independent. Answers to one prompt are alike, so for other prompts of the market the bounds are too narrow.',
  previous_day:
    '`change` compares with the latest earlier day, even if that day had other prompts, platforms or models, or a scan that was partial. `compareScores` compares the same prompts.',
  independent_prompts:
    'A comparison takes prompts as independent: what moves all prompts of a platform at once looks like a change. Five prompts show large changes only.',
  shared_shocks:
    '`fdr` of `getChanges` holds for brands that move alone. A shock that 50 unchanged brands share breaks this: at 0.05, 8 % of reads name one if shocks move a rate of 50 % by 5 points (standard deviation), and 21 % if by 10. Read `median_difference` too.',
  unequal_windows:
    'Windows with unequally many answers a cell give false verdicts for rarely mentioned brands. Above four times as many they are `not_comparable`.',
  few_prompts:
    'The bounds of a window are wide for few prompts: more prompts narrow them, more days hardly do. For a mention rate of 2 % they contain the rate in 91 to 98 % of cases.',
  surfaces:
    'Answers come from the APIs of the platforms, and for AI Overviews from a search page. People see answers of apps, with other models, accounts and settings.',
  served_models:
    'A platform may change the model behind a name. `model` of a result is what the platform reports.',
  markets:
    'A market is passed to the platform as a country setting, or as a sentence of the prompt. The prompt keeps its language.',
  tracked_brands:
    'Position, share of voice and rank know only the own brand and its tracked competitors. Other companies in an answer are not counted. Another competitor therefore changes them and `score`: reprocess the brand after linking one.',
  common_words:
    'A name that is an ordinary word, or a part of the name of a product that is not tracked, counts wherever it occurs, unless match rules prevent it.',
  lexicon:
    'The lexicon misses irony and implied tone. In languages without word lists it rates every mention 50. Its values are steps: read a difference as a direction, not as a distance.',
  llm_judge:
    'The LLM judge may rate the same text differently. The two methods differ in level: do not compare sentiments across `+llm`.',
  compared_methods:
    'For `compareScores`, versions `5` and `5+llm` are different methods of the sentiment; of every metric only if a tracked brand has `match.verify`.',
  truncation:
    'Of an answer, 32 KiB of text and 100 sources are stored and read. `answer_truncated` marks longer texts.',
} as const;

/** All of them, in the order in which a reader needs them. */
export const knownLimits: readonly string[] = Object.values(knownLimitsByTopic);
