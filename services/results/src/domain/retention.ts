/** How long an installation keeps results; 0 is for ever. */
export type Retention = { answerTextDays: number; unitDays: number };

/** The first days of a brand that are kept; null if every day is. */
export type KeptDays = { units_from: string | null; texts_from: string | null };

export const isUnitKept = ({ units_from: from }: KeptDays, runDate: string): boolean =>
  from === null || runDate >= from;

/** A text is kept no longer than its unit. */
export const isTextKept = (kept: KeptDays, runDate: string): boolean =>
  isUnitKept(kept, runDate) && (kept.texts_from === null || runDate >= kept.texts_from);

/** The later of the first day of a window and the first day with units. */
export const toKeptFrom = ({ units_from: kept }: KeptDays, from: string): string =>
  kept !== null && kept > from ? kept : from;

/** Units of the first batch, and of the smallest. */
export const firstBatchUnits = 100;
export const minBatchUnits = 10;
const maxBatchUnits = 5_000;
/** Well below 100 ms, so that a batch three times as slow as the previous one is still below it. */
const targetMs = 25;

/** The size of the next batch, by the time for which the last one held its lock. */
export function nextBatchUnits(units: number, heldMs: number): number {
  const factor = Math.min(2, Math.max(0.25, targetMs / Math.max(heldMs, 1)));
  return Math.min(maxBatchUnits, Math.max(minBatchUnits, Math.round(units * factor)));
}

/** The size of a batch that is repeated because it took too long. */
export const shrinkBatch = (units: number): number => Math.max(minBatchUnits, Math.floor(units / 4));
