import type { Verdict, WebhookEvent } from '@bv/contract';

type CompletedData = WebhookEvent<'scan.completed'>['data'];
type Measures = Pick<CompletedData, 'score' | 'sentiment' | 'share_of_voice'>;
type Figure = { value: number | null; earlier: number | null };

/** A change of the days up to `run_date` against as many days before. */
export type FoundChange = Omit<WebhookEvent<'score.changed'>['data'], 'brand' | 'job_id'> & {
  window_days: number;
  highest_confidence: number;
};

/** A scored scan, as published by results: one series per market, and one over all markets with `country: null`. */
export type ScoredScan = Omit<CompletedData, keyof Measures | 'change_verdict' | 'last_scan_changed_at'> & {
  org_id: string;
  brand_id: string;
  changed_at: string;
  series: (Measures & { country: string | null; change_verdict: Verdict })[];
  /** The newest days of the series of the brand. */
  newest_days: { country: string | null; run_date: string; score: Figure; sentiment: Figure }[];
  /** Only in the event of the first scored scan of a day. */
  comparisons?: FoundChange[] | undefined;
};
