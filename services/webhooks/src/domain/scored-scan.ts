import type { WebhookEvent } from '@bv/contract';

type CompletedData = WebhookEvent<'scan.completed'>['data'];
type Measures = Pick<CompletedData, 'score' | 'sentiment' | 'share_of_voice'>;
type Figure = { value: number | null; earlier: number | null };

/** A scan as results has scored it: a series per market and, under `country: null`, the one over all markets. */
export type ScoredScan = Omit<CompletedData, keyof Measures | 'last_scan_changed_at'> & {
  org_id: string;
  brand_id: string;
  changed_at: string;
  series: (Measures & { country: string | null })[];
  /** The newest days of the brand's series; an earlier shape of the event lacks it. */
  newest_days?: { country: string | null; run_date: string; score: Figure; sentiment: Figure }[] | undefined;
};
