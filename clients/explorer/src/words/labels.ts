import type { ComparedMetric, ComparisonReason, ScoreWindow, Verdict } from '@bv/sdk';
import type { Slice, View } from '../state/view.ts';

export const metricLabels: Record<ComparedMetric, string> = {
  mention_rate: 'Mention rate',
  score: 'Score',
  share_of_voice: 'Share of voice',
  citation_rate: 'Citation rate',
  sentiment: 'Sentiment',
};

export const windowLabels: Record<ScoreWindow, string> = { day: '1 day', '7d': '7 days', '28d': '28 days' };

export const sliceLabels: Record<Slice, string> = {
  prompt: 'Prompt',
  platform: 'Platform',
  country: 'Market',
  tag: 'Tag',
  model: 'Model',
};

const platformLabels: Record<string, string> = {
  chatgpt: 'ChatGPT',
  perplexity: 'Perplexity',
  gemini: 'Gemini',
  claude: 'Claude',
  ai_overviews: 'AI Overviews',
};

/** A later version of the API may have other platforms. */
export const platformLabel = (platform: string): string => platformLabels[platform] ?? platform;

const regions = new Intl.DisplayNames(['en'], { type: 'region' });

/** Imports may have other values than markets. */
export function marketLabel(code: string): string {
  try {
    return regions.of(code) ?? code;
  } catch {
    return code;
  }
}

/** The choices of the page, such as "ChatGPT, all markets, 7 days". */
export function viewLabel({ platform, market, window }: View): string {
  const place = market === undefined ? 'all markets' : marketLabel(market);
  return `${platform === undefined ? 'all platforms' : platformLabel(platform)}, ${place}, ${windowLabels[window]}`;
}

const verdictLabels: Record<Verdict, string> = {
  up: 'up',
  down: 'down',
  no_evidence: 'no evidence',
  not_comparable: 'not comparable',
};

/** A later version of the API may have other verdicts. */
export const verdictLabel = (verdict: string): string => verdictLabels[verdict as Verdict] ?? verdict;

const reasonLabels: Record<ComparisonReason, string> = {
  too_few: 'too few prompts',
  model_changed: 'another model',
  surface_changed: 'asked in another way',
  method_changed: 'another method',
  competitors_changed: 'other competitors',
  incomplete: 'many answers failed',
  unequal_answers: 'unequal answers',
  partial_run: 'a partial scan',
  prompt_set_changed: 'other prompts',
  short_window: 'a short period',
  platform_drift: 'other answers of a platform',
};

/** A later version of the API may have other reasons. */
export const reasonLabel = (reason: string): string => reasonLabels[reason as ComparisonReason] ?? reason;

/** A figure or a difference, to one decimal. */
export const showNumber = (value: number): string => value.toLocaleString('en', { maximumFractionDigits: 1 });

/** A count with its noun: "1 answer", "2 answers". */
export const count = (number: number, noun: string): string =>
  `${number.toLocaleString('en')} ${noun}${number === 1 ? '' : 's'}`;
