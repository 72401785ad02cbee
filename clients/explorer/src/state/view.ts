import type { ComparedMetric, PlatformId, ScoreWindow } from '@bv/sdk';

/** What is shown. It is the query of the address, so that a view can be shared. The key is never part of it. */
export type View = {
  org: string | undefined;
  brand: string | undefined;
  market: string | undefined;
  platform: PlatformId | undefined;
  window: ScoreWindow;
  metric: ComparedMetric;
  by: Slice;
  /** Only sources and pages that name a competitor without the brand. */
  gap: boolean;
  /** Of the brand; the newest without a choice. */
  experiment: string | undefined;
  /** The prompt whose answers are shown. */
  prompt: string | undefined;
};

export const windows = ['7d', '28d', 'day'] as const satisfies ScoreWindow[];
export const platforms = [
  'chatgpt',
  'perplexity',
  'gemini',
  'claude',
  'ai_overviews',
] as const satisfies PlatformId[];
export const metrics = [
  'mention_rate',
  'score',
  'share_of_voice',
  'citation_rate',
  'sentiment',
] as const satisfies ComparedMetric[];
export const slices = ['prompt', 'platform', 'country', 'tag', 'model'] as const;
export type Slice = (typeof slices)[number];

const choose = <T extends string>(values: readonly T[], given: string | null): T | undefined =>
  values.find((value) => value === given);

/** Reads an address. Unknown values are ignored. */
export function parseView(search: string): View {
  const query = new URLSearchParams(search);
  const text = (name: string): string | undefined => query.get(name) || undefined;
  return {
    org: text('org'),
    brand: text('brand'),
    market: text('market'),
    platform: choose(platforms, query.get('platform')),
    window: choose(windows, query.get('window')) ?? '7d',
    metric: choose(metrics, query.get('metric')) ?? 'mention_rate',
    by: choose(slices, query.get('by')) ?? 'prompt',
    gap: query.get('gap') !== 'false',
    experiment: text('experiment'),
    prompt: text('prompt'),
  };
}

const defaults = parseView('');

/** The address of a view, without what is the default. */
export function formatView(view: View): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(view)) {
    if (value !== undefined && value !== defaults[name as keyof View]) query.set(name, String(value));
  }
  const text = query.toString();
  return `/explore${text === '' ? '' : `?${text}`}`;
}
