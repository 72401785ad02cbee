import type { WebhookEvent } from '@bv/contract';

type CompletedData = WebhookEvent<'scan.completed'>['data'];
type Measures = Pick<CompletedData, 'score' | 'sentiment' | 'share_of_voice'>;
type Figure = { value: number | null; earlier: number | null };

/** A scored scan, as published by results: one series per market, and one over all markets with `country: null`. */
export type ScoredScan = Omit<CompletedData, keyof Measures | 'last_scan_changed_at'> & {
  org_id: string;
  brand_id: string;
  changed_at: string;
  series: (Measures & { country: string | null })[];
  /** The newest days of the series of the brand. Missing in events of older releases. */
  newest_days?: { country: string | null; run_date: string; score: Figure; sentiment: Figure }[] | undefined;
};
