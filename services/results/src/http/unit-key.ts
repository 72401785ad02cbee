import { ApiError } from '@bv/contract';
import type { UnitKey } from '../db/mentions.ts';
import type { Walk } from './walk.ts';

export const unitSortKey = (row: { run_date: string; finalized_at: string; id: string }): string[] => [
  row.run_date,
  row.finalized_at,
  row.id,
];

/** The unit a walk over units stands at; null on its first page. */
export function unitKeyOf(walk: Walk): UnitKey | null {
  if (walk.sort === null) return null;
  const [runDate, finalizedAt, id] = walk.sort;
  if (typeof runDate !== 'string' || typeof finalizedAt !== 'string' || typeof id !== 'string') {
    throw new ApiError('invalid_cursor');
  }
  return { runDate, finalizedAt, id };
}
