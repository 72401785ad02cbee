import type { PresentedName } from './presented-names.ts';

/** A name that is not tracked, with its rank among all names of the answer; 1 is first. */
export type RankedName = PresentedName & { rank: number };

/** `others` are in the order of the text; `trackedStarts` has the first occurrence of each mentioned tracked brand. */
export const rankNames = (others: readonly PresentedName[], trackedStarts: readonly number[]): RankedName[] =>
  others.map((name, index) => ({
    ...name,
    rank: 1 + index + trackedStarts.filter((start) => start < name.start).length,
  }));
