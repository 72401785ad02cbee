import { ApiError } from '@bv/contract';
import type { UnitKey } from '../db/mentions.ts';
import type { PageRequest } from './pagination.ts';

export const unitSortKey = (row: { run_date: string; finalized_at: string; id: string }): string[] => [
  row.run_date,
  row.finalized_at,
  row.id,
];

/** The last unit of the previous page; null for the first page. Throws `invalid_cursor`. */
export function parseUnitPosition(pageRequest: PageRequest): UnitKey | null {
  if (pageRequest.sort === null) return null;
  const [runDate, finalizedAt, id] = pageRequest.sort;
  if (typeof runDate !== 'string' || typeof finalizedAt !== 'string' || typeof id !== 'string') {
    throw new ApiError('invalid_cursor');
  }
  return { runDate, finalizedAt, id };
}
