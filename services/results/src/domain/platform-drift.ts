import { DriftKind, type PlatformDrift, type PlatformId } from '@bv/contract';
import { type DayShare, hasShareDrifted, hasSizeDrifted } from '@bv/statistics';
import { addDays } from './calendar.ts';

/** What the answers of a platform to the scans of a day look like, over all brands. */
export type PlatformShape = {
  units: number;
  answered: number;
  /** Answers with a cited source. */
  sourced: number;
  /** Answers with a link behind a redirect whose page is not known. */
  unresolved: number;
  /** Answers without the name of a model. */
  unnamed: number;
  /** Answers that cite the domain that most answers cite. */
  largest_domain: number;
  /** Answers whose text is stored, and its median length. */
  with_text: number;
  text_bytes: number;
};

/** A day is compared with those of this many days before. */
export const comparedDays = 14;

const shares: Record<Exclude<DriftKind, 'text_length'>, (shape: PlatformShape) => DayShare> = {
  no_answer: ({ units, answered }) => ({ count: units - answered, units }),
  sources: ({ sourced, answered }) => ({ count: sourced, units: answered }),
  unresolved_links: ({ unresolved, answered }) => ({ count: unresolved, units: answered }),
  // Imported answers may cite the domain too.
  largest_source: (shape) => ({ count: Math.min(shape.largest_domain, shape.sourced), units: shape.sourced }),
  no_model: ({ unnamed, answered }) => ({ count: unnamed, units: answered }),
};

/** What differs from the days before. */
export const listDriftKinds = (day: PlatformShape, before: readonly PlatformShape[]): DriftKind[] =>
  DriftKind.options.filter((kind) =>
    kind === 'text_length'
      ? hasSizeDrifted(toLength(day), before.map(toLength))
      : hasShareDrifted(shares[kind](day), before.map(shares[kind])),
  );

const toLength = ({ with_text, text_bytes }: PlatformShape) => ({ size: text_bytes, units: with_text });

export type DriftedDay = { platform: PlatformId; run_date: string; drift: DriftKind[] };

/** Of neighbouring days with the same kind only the first is listed. */
export function listDrifts(days: readonly DriftedDay[]): PlatformDrift[] {
  const toKey = (platform: string, day: string, kind: string): string => `${platform} ${day} ${kind}`;
  const known = new Set(
    days.flatMap(({ platform, run_date, drift }) => drift.map((kind) => toKey(platform, run_date, kind))),
  );
  return days.flatMap(({ platform, run_date, drift }) =>
    drift
      .filter((kind) => !known.has(toKey(platform, addDays(run_date, -1), kind)))
      .map((kind) => ({ platform, from: run_date, kind })),
  );
}
