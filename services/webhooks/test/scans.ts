import { randomUUID } from 'node:crypto';
import type { EventData, scanScored } from '@bv/events';

export type ScoredScan = EventData<typeof scanScored>;

const movement = (previous: number | null, value: number | null) => ({
  previous,
  value,
  change: previous === null || value === null ? null : Math.round((value - previous) * 100) / 100,
});

const firstToken = Date.parse('2026-11-21T03:00:10.000Z');
let tokens = 0;
/** Strictly increasing, like the change token of a brand. */
const nextToken = (): string => new Date(firstToken + (tokens += 1)).toISOString();

type Series = ScoredScan['series'][number];

/** Converts series to the newest days of the brand. */
const toNewestDay = (runDate: string) => (series: Series) => ({
  country: series.country,
  run_date: runDate,
  score: { value: series.score.value, earlier: series.score.previous },
  sentiment: { value: series.sentiment.value, earlier: series.sentiment.previous },
});

export type FoundChange = NonNullable<ScoredScan['comparisons']>[number];

/** A change of the days up to `runDate`. Its values are the same for all windows. */
export const foundChange = (runDate: string, change: Partial<FoundChange> = {}): FoundChange => ({
  metric: 'score',
  country: null,
  platform: null,
  a: { from: '2026-11-08', to: '2026-11-14', value: 30, units: 70, units_failed: 0, prompts: 10 },
  b: { from: '2026-11-15', to: runDate, value: 45, units: 70, units_failed: 0, prompts: 10 },
  difference: { value: 15, low: 6.25, high: 23.75, confidence: 0.95 },
  verdict: 'up',
  reasons: [],
  window_days: 7,
  highest_confidence: 0.9999,
  ...change,
});

/** A scored scan of the newest day. `score`, `sentiment` and `countries` are pairs of previous and current value. */
export function scoredScan(change: {
  orgId: string;
  brandId?: string;
  jobId?: string;
  runDate?: string;
  score?: [number | null, number | null];
  sentiment?: [number | null, number | null];
  countries?: Record<string, [number | null, number | null]>;
  /** The changes that the first scan of the day found. */
  changes?: Partial<FoundChange>[];
}): ScoredScan {
  const { orgId, brandId = randomUUID(), score = [40, 60], sentiment = [50, 55], countries = {} } = change;
  const series = (country: string | null, values: [number | null, number | null]) => ({
    country,
    score: movement(...values),
    sentiment: movement(...sentiment),
    share_of_voice: 33.33,
    change_verdict: 'no_evidence' as const,
  });
  const runDate = change.runDate ?? '2026-11-21';
  const all = [
    series(null, score),
    ...Object.entries(countries).map(([code, values]) => series(code, values)),
  ];
  return {
    job_id: change.jobId ?? randomUUID(),
    org_id: orgId,
    brand_id: brandId,
    brand: { id: brandId, name: 'Acme', domain: 'acme.com', external_ref: 'brand-1' },
    trigger: 'manual',
    status: 'completed',
    run_date: runDate,
    queued_at: '2026-11-21T03:00:00.000Z',
    started_at: '2026-11-21T03:00:01.000Z',
    completed_at: '2026-11-21T03:00:09.000Z',
    units: { total: 10, answered: 9, no_answer: 1, failed: 0 },
    platforms: ['chatgpt', 'claude'],
    countries: ['DE', 'US'],
    changed_at: nextToken(),
    series: all,
    newest_days: all.map(toNewestDay(runDate)),
    ...(change.changes && { comparisons: change.changes.map((each) => foundChange(runDate, each)) }),
  };
}
