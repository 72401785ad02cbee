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
