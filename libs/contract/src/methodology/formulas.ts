import { z } from 'zod';
import { blockingReasons } from '../resources/score-comparison.ts';

export const Formula = z
  .strictObject({
    field: z.string().describe('Row and field, such as `Score.mention_rate`.'),
    expression: z.string().describe('How the field is computed, from fields of the same row where possible.'),
    source: z.string().describe('Where the formula comes from: a publication, or a definition of this API.'),
  })
  .meta({ id: 'Formula' });
export type Formula = z.infer<typeof Formula>;

const own = 'Definition of this API.';
const wilson =
  'Wilson (1927), Probable inference, the law of succession, and statistical inference, JASA 22, 209-212.';

const korn =
  'Korn and Graubard (1998), Confidence intervals for proportions with small expected number of positive counts estimated from survey data, Survey Methodology 24, 193-201.';
const student = 'Student (1908), The probable error of a mean, Biometrika 6, 1-25.';
const tukey =
  'Tukey (1958), Bias and confidence in not-quite large samples, Annals of Mathematical Statistics 29, 614.';
const miller = 'Miller (2024), Adding error bars to evals, arXiv 2411.00640, sections 2.2 and 4.';

type Row = readonly [field: string, expression: string, source?: string];

const define = (row: string, rows: readonly Row[]): Formula[] =>
  rows.map(([field, expression, source = own]) => ({ field: `${row}.${field}`, expression, source }));

const citationBounds =
  'end of the 95 % score interval of citation_rate in units_effective, computed from citations over the answers whose citations are known; only in rows of a window';
const jackknifed = (figure: string, range: string): Row[] =>
  ['low', 'high'].map((end) => [
    `${figure}_${end}`,
    `${figure} ${end === 'low' ? '−' : '+'} t × s / √k; t the 97.5 % quantile with k − 1 degrees of freedom, s the standard deviation of the pseudo-values of the jackknife over the k prompts with an answered unit; clamped to ${range}; null with k < 5, or where omitting a prompt leaves no value; only in rows of a window`,
    `${tukey} ${student}`,
  ]);

const score = define('Score', [
  [
    'score',
    'mean of u over the answered units; u = 0 without a mention, else 100 / (1 + 0.1 × (position − 1))',
  ],
  ['previous_score', 'score of the latest earlier run_date of the same series'],
  ['change', 'score − previous_score'],
  ['mention_rate', '100 × units_mentioned / units_answered'],
  ['mention_rate_low', 'lower end of the 95 % score interval of units_mentioned in units_answered', wilson],
  ['mention_rate_high', 'upper end of the 95 % score interval of units_mentioned in units_answered', wilson],
  ['average_position', 'position_sum / units_mentioned'],
  ['sentiment', 'sentiment_sum / sentiment_count'],
  ['citation_rate', '100 × units_cited / (units_answered − units_citations_unknown)'],
  ['share_of_voice', 'ShareOfVoice.share_of_voice of the own brand over all platforms'],
  [
    'units_total',
    'units_answered + units without an answer; for a prompt, platform, country and run_date only the latest finalised unit counts',
  ],
  ['units_answered', 'number of units with an answer'],
  ['units_mentioned', 'number of answered units that mention the brand'],
  ['units_cited', "number of answered units that cite the brand's domain"],
  ['units_mentioned_cited', 'number of answered units that mention the brand and cite its domain'],
  ['units_informative', 'number of answered units that name a tracked brand or another one'],
  ['informative_rate', '100 × units_informative / answered units with a stored text'],
  [
    'units_citations_unknown',
    "number of answered units with unresolved links that do not cite the brand's domain",
  ],
  ['position_sum', 'sum of position over the units that mention the brand'],
  ['sentiment_sum', 'sum of sentiment over the units that have one'],
  ['sentiment_count', 'number of units that mention the brand and have a sentiment'],
  ['platforms[].score', 'score over the units of the platform'],
  ['platforms[].mention_rate', 'mention_rate over the units of the platform'],
  ['platforms[].units_answered', 'number of units of the platform with an answer'],
  ['models[].units', 'number of answered units that the model of the platform answered'],
  [
    'model_changed',
    'whether a platform with known models in this row and in the previous row of the series has another set of them here',
  ],
  ['prompts_measured', 'number of distinct prompts with an answered unit'],
  [
    'units_effective',
    'n / (1 + (m − 1) × max(ρ, 0.1)) × (t(n − 1) / t(k − 1))², at least 1; n = units_answered, k = prompts_measured, m = n / k, t the 97.5 % quantile of Student’s distribution, ρ the intra-cluster correlation of mentions by one-way analysis of variance, prompts as clusters, 0 to 1; n with one prompt; only in rows of a window',
    `${korn} ρ: Ridout, Demétrio and Firth (1999), Estimating intraclass correlation for binary data, Biometrics 55, 137-148.`,
  ],
  ['citation_rate_low', citationBounds, korn],
  ['citation_rate_high', citationBounds, korn],
  ...jackknifed('average_position', 'at least 1'),
  ...jackknifed('share_of_voice', '0 to 100'),
]);

const pooled = 'mean over the cells (prompt, country, platform) with a value';
const window = define('Score[window]', [
  ['score', `${pooled} of the mean of u over the answered units of the cell in the window`],
  ['mention_rate', `${pooled} of 100 × units that mention the brand / answered units of the cell`],
  ['mention_rate_low', 'lower end of the 95 % score interval of mention_rate in units_effective', korn],
  ['mention_rate_high', 'upper end of the 95 % score interval of mention_rate in units_effective', korn],
  ['average_position', `${pooled} of the mean of position over the units of the cell that mention the brand`],
  ['sentiment', `${pooled} of the mean of sentiment over the units of the cell that have one`],
  [
    'citation_rate',
    `${pooled} of 100 × units that cite the domain / answered units of the cell whose citations are known`,
  ],
  [
    'share_of_voice',
    '100 × mentions of the own brand / mentions of all tracked brands, over the answered units of the window; repeats of a day count',
  ],
  ['units_total', 'number of units of the window; repeats of a day count'],
]);

const breakdown = define('BreakdownRow', [
  [
    'score',
    'as that of Score[window], over the cells of the slice; so are mention_rate, citation_rate, average_position, sentiment, share_of_voice and their bounds',
  ],
  [
    'prompt_kind',
    'branded if the text of the prompt mentions the own brand, else competitor if it mentions a tracked one, else unbranded; by detection.rules, without the LLM judge',
  ],
  [
    'competitors[].mention_rate',
    `${pooled} of 100 × units that mention the competitor / units searched for it`,
  ],
  ['is_imprecise', 'mention_rate_high − mention_rate_low > 30'],
]);

const inPairedCells = 'paired cells, which have a value of the metric in both windows';
const comparison = define('ScoreComparison', [
  [
    'a.value',
    `mean over prompts of the mean over their ${inPairedCells}, of the mean of the cell in window a`,
  ],
  [
    'b.value',
    `mean over prompts of the mean over their ${inPairedCells}, of the mean of the cell in window b`,
  ],
  [
    'a.value[share_of_voice]',
    '100 × mentions of the own brand / mentions of all tracked brands, over the answered units of the paired cells',
  ],
  [
    'b.value[share_of_voice]',
    '100 × mentions of the own brand / mentions of all tracked brands, over the answered units of the paired cells',
  ],
  ['a.units_failed', 'number of failed units of the scans of window a that pass the filters'],
  ['b.units_failed', 'number of failed units of the scans of window b that pass the filters'],
  ['a.units', `number of answered units of window a in ${inPairedCells}`],
  ['b.units', `number of answered units of window b in ${inPairedCells}`],
  ['difference.value', 'mean d of the differences of the n prompts, b minus a', miller],
  [
    'difference.low',
    'd − t × s / √n; t is the (1 + confidence) / 2 quantile with n − 1 degrees of freedom, s the standard deviation of the differences, for share_of_voice of the n pseudo-values of the jackknife over prompts',
    `${student} ${tukey}`,
  ],
  ['difference.high', 'd + t × s / √n', `${student} ${tukey}`],
  [
    'verdict',
    `up if difference.low > 0, down if difference.high < 0, before rounding; else no_evidence; not_comparable if ${blockingReasons}`,
  ],
]);

const shareOfVoice = define('ShareOfVoice', [
  ['share_of_voice', '100 × mentions / total_mentions; null if total_mentions is 0'],
  ['mentions', 'number of answered units that mention the brand'],
  ['total_mentions', 'sum of mentions over the own brand and its tracked competitors'],
  ['units_answered', 'number of units with an answer that was searched for the brand'],
  ['mention_rate', '100 × mentions / units_answered'],
  ['average_position', 'mean of position over the units that mention the brand'],
  ['rank', '1 + number of brands with more mentions; equal brands share a rank'],
]);

const source = define('Source', [
  [
    'category',
    'own or competitor for a tracked domain, else by a list of known sites, else by the suffix of the domain, else other',
  ],
  ['is_own', 'category is own'],
  ['competitor_id', 'the tracked competitor with the domain; null for other categories'],
  ['citations', 'number of citations of the domain; every finalised unit of the window counts'],
  ['units_cited', 'number of answered units that cite the domain'],
  ['citation_share', '100 × citations / sum of citations over all domains'],
  [
    'citation_rate',
    '100 × units_cited / (units_answered − answered units with unresolved links that do not cite the domain)',
  ],
  ['units_answered', 'number of answered units of the window'],
  ['pages', 'number of distinct URLs of the domain that are cited'],
  ['top_pages[].citations', 'number of citations of the URL'],
  ['platforms[].citations', 'number of citations of the domain by the platform'],
  ['mentioned_rate', '100 × units that cite the domain and mention the own brand / units_cited'],
  ['units_with_competitor', 'number of answered units that cite the domain and mention a tracked competitor'],
  ['units_gap', 'number of them that do not mention the own brand'],
  ['gap_rate', '100 × units_gap / units_cited'],
  ['first_seen', 'first run_date of the window with a citation of the domain'],
  ['last_seen', 'last run_date of the window with a citation of the domain'],
]);

const chao =
  'Chao (1987), Estimating the population size for capture-recapture data with unequal catchability, Biometrics 43, 783-791.';
const discovered = define('DiscoveredBrand', [
  ['kind', 'by the category of suggested_domain'],
  ['units_mentioned', 'number of answered units with a stored text that present the name'],
  ['mention_rate', `${pooled} of 100 × units that present the name / answered units with a stored text`],
  ['mention_rate_low', 'as that of Score[window]', korn],
  ['mention_rate_high', 'as that of Score[window]', korn],
  [
    'average_position',
    'mean over these units of 1 + number of names, tracked ones included, that occur earlier',
  ],
]);

const coverage = define('Coverage', [
  ['seen', 'S, the number of names in the m units; U is the sum of the units of each'],
  ['seen_once', 'Q1, the number of names in exactly one unit'],
  ['seen_twice', 'Q2, the number of names in exactly two units'],
  [
    'coverage.value',
    '100 × (1 − (Q1 / U) × ((m − 1) × Q1 / ((m − 1) × Q1 + 2 × Q2))); 100 if Q1 is 0',
    'Chao and Jost (2012), Coverage-based rarefaction and extrapolation, Ecology 93, 2533-2547.',
  ],
  ['coverage.low', 'as share_of_voice_low of Score, by the jackknife over prompts', `${tukey} ${student}`],
  ['coverage.high', 'as share_of_voice_high of Score, by the jackknife over prompts', `${tukey} ${student}`],
  [
    'estimated_total.value',
    'S + f0; f0 = ((m − 1) / m) × Q1² / (2 × Q2), with Q2 = 0 ((m − 1) / m) × Q1 × (Q1 − 1) / 2',
    chao,
  ],
  ['estimated_total.low', 'S + f0 / K; K = exp(1.96 × √ln(1 + v / f0²)), v the variance of Chao2', chao],
  ['estimated_total.high', 'S + f0 × K', chao],
  ['next_100_units', 'f0 × (1 − (1 − Q1 / (m × f0 + Q1))^100); 0 if f0 is 0'],
]);

const promptResult = define('PromptResult', [
  ['informative', 'the answer mentions a tracked brand, or others has a name'],
  ['position', '1 + number of tracked brands that occur earlier in the answer'],
  [
    'sentiment',
    '50 + 50 × mean tone, −1 to 1, of the statements about the brand that evaluate; 50 without any; the rating of the LLM judge if it gives one',
  ],
]);

/** The formula of every computed field. Numbers are rounded to two decimals at the end. */
export const formulas: readonly Formula[] = [
  ...score,
  ...window,
  ...breakdown,
  ...comparison,
  ...shareOfVoice,
  ...source,
  ...discovered,
  ...coverage,
  ...promptResult,
];
