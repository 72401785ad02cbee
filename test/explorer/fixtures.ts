import type {
  BrandChange,
  BreakdownRow,
  Changes,
  CitedUrl,
  Experiment,
  ExperimentResult,
  Precision,
  Coverage,
  DiscoveredBrand,
  PromptResult,
  Score,
  ScoreComparison,
  ShareOfVoice,
  Source,
} from '@bv/sdk';

/** Made-up responses of the API, the same on every day: pictures of them are compared with stored ones. */

export const today = '2026-03-31';
const orgId = '6ca91610-418c-4e35-a714-9c5ea0fedeae';
const brandId = '86dbae73-5f6d-4fff-a1b6-5a0fad184fdf';
export const promptId = '56027b37-e21e-4af5-b1d8-c802efdd3136';

const dayOf = (index: number): string =>
  new Date(Date.parse(today) - index * 86_400_000).toISOString().slice(0, 10);
const wave = (index: number): number => Math.round(800 * Math.sin(index / 6)) / 100;

const scores = Array.from({ length: 40 }, (_, index): Partial<Score> => {
  const rate = 45 + wave(index);
  return {
    run_date: dayOf(index),
    score: rate - 6,
    mention_rate: rate,
    mention_rate_low: rate - 9.5,
    mention_rate_high: rate + 9.5,
    citation_rate: 20,
    citation_rate_low: 12.25,
    citation_rate_high: 31,
    share_of_voice: 25 + wave(index) / 2,
    share_of_voice_low: 22 + wave(index) / 2,
    share_of_voice_high: 28 + wave(index) / 2,
    average_position: 2.1,
    average_position_low: 1.8,
    average_position_high: 2.4,
    sentiment: null,
    units_answered: 210,
    prompts_measured: 10,
    method_version: index > 30 ? '4' : '5',
    model_changed: index === 12,
    models: [{ platform: 'chatgpt', model: index > 12 ? 'gpt-6' : 'gpt-6.1', units: 70 }],
  };
});

const comparison: ScoreComparison = {
  metric: 'mention_rate',
  country: null,
  platform: null,
  a: { from: '2026-03-18', to: '2026-03-24', value: 45.2, units: 210, units_failed: 0, prompts: 10 },
  b: { from: '2026-03-25', to: '2026-03-31', value: 52.9, units: 210, units_failed: 0, prompts: 10 },
  difference: { value: 7.7, low: 1.24, high: 14.16, confidence: 0.95 },
  verdict: 'up',
  reasons: [],
};

const share = { share: 25, low: 10, high: 40 };
const option = (prompts: number, repeats: number, half_width: number) => ({
  prompts,
  repeats_per_day: repeats,
  units_per_day: 3 * prompts * repeats,
  half_width,
  smallest_detectable_28d: 1.1 * half_width,
  cost_usd_per_day: 0.03 * prompts * repeats,
});
export const precision: Precision = {
  metric: 'mention_rate',
  from: '2026-03-04',
  to: today,
  prompts: 10,
  cells: 30,
  units: 840,
  variance: { prompt: share, stratum: share, prompt_by_stratum: share, repeat: share, total: 2400 },
  level: { value: 48.1, low: 38.9, high: 57.3, half_width: 9.2 },
  change: { smallest_detectable_7d: 12.3, smallest_detectable_28d: 7, power: 0.8, confidence: 0.95 },
  limited_by: 'prompts',
  grade: 'directional',
  grade_reasons: ['too_few_prompts', 'too_wide'],
  options: [
    option(10, 1, 9.2),
    option(20, 1, 6.1),
    option(10, 2, 9),
    option(30, 1, 4.9),
    option(10, 3, 8.9),
    option(100, 5, 2.5),
  ],
  recommended: 3,
};

const slice = (key: string, rate: number | null): Partial<BreakdownRow> => ({
  key,
  label: key,
  prompt: { id: key, text: key, tags: [], active: true },
  units_answered: 21,
  prompts_measured: 1,
  mention_rate: rate,
  mention_rate_low: rate === null ? null : Math.max(0, rate - 17.5),
  mention_rate_high: rate === null ? null : Math.min(100, rate + 17.5),
  competitors: [
    { brand_id: 'a', name: 'HubSpot', units_mentioned: 12, mention_rate: 57.14 },
    { brand_id: 'b', name: 'Zoho CRM', units_mentioned: 3, mention_rate: 14.29 },
  ],
});

const voice = (name: string, mentions: number): Partial<ShareOfVoice> => ({
  run_date: today,
  brand_id: name,
  name,
  is_own: name === 'Acme',
  mentions,
  total_mentions: 100,
});

const cited = (domain: string, units: number): Partial<Source & CitedUrl> => ({
  domain,
  url: `https://${domain}/best`,
  title: `Best of ${domain}`,
  category: 'blog',
  is_own: false,
  competitor_id: domain === 'hubspot.com' ? 'a' : null,
  citations: units + 2,
  units_cited: units + 1,
  units_with_competitor: units,
  units_gap: units,
  gap_rate: 80,
});

const discovered = (name: string, rate: number): Partial<DiscoveredBrand> => ({
  name,
  suggested_domain: null,
  kind: 'unknown',
  units_mentioned: 2 * rate,
  mention_rate: rate,
  mention_rate_low: rate - 6,
  mention_rate_high: rate + 8.5,
  prompts: 4,
  platforms: ['chatgpt'],
});

const coverage: Partial<Coverage> = {
  units: 210,
  seen: 41,
  coverage: { value: 93.2, low: 90, high: 96.4 },
  estimated_total: { value: 58.3, low: 47, high: 92.5 },
  next_100_units: 4.6,
};

const experimentId = '7d0c1f4e-64b4-4b6e-9d2f-7a8c0d1e2f3a';
const arm = (before: number, after: number): ExperimentResult['treated'] => ({
  before,
  after,
  units_before: 840,
  units_after: 798,
  prompts: 10,
});
const result: ExperimentResult = {
  treated: arm(31.2, 43.9),
  control: arm(30.4, 33.1),
  effect: { value: 10, low: 3.4, high: 16.6, confidence: 0.95 },
  p_value: 0.0061,
  placebo: { p_value: 0.0833 },
  pre_trend: { value: 1.2, low: -4.4, high: 6.8 },
  verdict: 'up',
  reasons: ['model_changed'],
  final: true,
};
export const experiment: Partial<Experiment> & { id: string } = {
  id: experimentId,
  name: 'New <b>pricing</b> page',
  metric: 'mention_rate',
  status: 'completed',
  preregistered: true,
  starts_on: '2026-02-01',
  platforms: null,
  countries: null,
  pre: { from: '2026-01-04', to: '2026-01-31' },
  post: { from: '2026-02-08', to: '2026-03-07' },
  design: { treated_prompts: 10, control_prompts: 10, smallest_detectable: 8.2 },
  result,
};

const change = (name: string, value: number, q: number | null, verdict: string): BrandChange => ({
  brand: { id: name, name, domain: 'acme.com' },
  a: comparison.a,
  b: comparison.b,
  difference: { value, low: value - 6.3, high: value + 6.3, confidence: 0.95 },
  p_value: q === null ? null : q / 2,
  q_value: q,
  verdict: verdict as BrandChange['verdict'],
  reasons: q === null ? ['too_few'] : [],
});
export const changes: Changes = {
  window_days: 7,
  metric: 'mention_rate',
  country: null,
  fdr: 0.05,
  tested: 3,
  not_comparable: 1,
  up: 1,
  down: 1,
  median_difference: 1.9,
  rows: [
    change('Acme', 12.4, 0.0004, 'up'),
    change('Acme Mail', -7.1, 0.0412, 'down'),
    change('Other Acme', 1.9, 0.5531, 'no_evidence'),
    change('Acme Labs', 30, null, 'not_comparable'),
  ],
};

export const hostileText = [
  '👍🏽 Acme <script>alert(1)</script><img src=x onerror=alert(2)>',
  '\u202Egnp.exe \u2067 right to left',
  'x'.repeat(32_000),
].join('\n');

const answer: Partial<PromptResult> = {
  id: 'r1',
  run_date: today,
  platform: 'chatgpt',
  country: 'US',
  outcome: 'answered',
  mentioned: true,
  position: 1,
  cited: true,
  answer_text: hostileText,
  answer_truncated: false,
  model: '<b>model</b>',
  brands: [
    { name: 'Acme', is_own: true, evidence: [{ start: 3, end: 7 }] },
  ] as unknown as PromptResult['brands'],
  sources: [
    {
      position: 1,
      url: 'javascript:alert(3)',
      domain: 'evil.com',
      title: null,
      cited: true,
      category: 'blog',
    },
    {
      position: 2,
      url: 'https://g2.com/',
      domain: 'g2.com',
      title: '<i>G2</i>',
      cited: true,
      category: 'blog',
    },
  ],
};

const list = (data: readonly object[], next: string | null = null) => ({
  data,
  pagination: { has_more: next !== null, next_cursor: next },
});

/** Bodies of the responses by the end of their path. */
export const bodies: Record<string, object> = {
  orgs: list([{ id: orgId, name: 'Demo' }]),
  [orgId]: { data: { usage: { countries: { codes: ['DE', 'US'] } } } },
  brands: list([
    { id: brandId, name: 'Acme' },
    { id: 'b2', name: 'Other Acme' },
  ]),
  scores: list(scores),
  compare: { data: comparison },
  precision: { data: precision },
  methodology: {
    data: { drift: [{ platform: 'ai_overviews', from: '2026-03-25', kind: 'unresolved_links' }] },
  },
  breakdown: list([
    slice('What is the best CRM?', 62.5),
    slice(promptId, 12.5),
    slice('Which CRM is cheap?', null),
  ]),
  'share-of-voice': list([voice('Acme', 40), voice('HubSpot', 35), voice('Zoho CRM', 25)]),
  'discovered-brands': list([discovered('Attio', 31), discovered('<b>Close</b>', 12)]),
  coverage: { data: coverage },
  experiments: list([experiment, { ...experiment, id: 'e2', name: 'Blog', status: 'stopped', result: null }]),
  [experimentId]: { data: experiment },
  changes: { data: changes },
  sources: list([cited('hubspot.com', 18), cited('g2.com', 7)]),
  pages: list([
    cited('g2.com', 6),
    cited('reddit.com', 2),
    { ...cited('evil.com', 1), url: 'javascript:alert(1)' },
  ]),
  prompts: list([{ id: promptId, text: 'What is the best CRM?' }]),
  results: list([answer], 'next'),
};
