import type { Pool } from '@bv/postgres';
import type { Logger } from '@bv/telemetry';
import { addSpending, correctSpending } from '../db/judge-spending.ts';
import { toUtcMonth } from '../domain/calendar.ts';

export type JudgeBudget = {
  /** Adds the estimated cost of a call to the month. Null if the budget does not allow it: do not call. */
  reserve(estimateUsd: number): Promise<Reservation | null>;
};

export type Reservation = {
  /** Replaces the estimate by the cost. A reservation that is never settled counts as spent. */
  settle(costUsd: number): Promise<void>;
};

type BudgetDeps = { pool: Pool; log: Logger; now: () => Date };

/**
 * The monthly budget of the LLM judge over all replicas. One statement checks and adds, so that the month exceeds the
 * budget by no more than the calls in flight cost above their estimates.
 */
export function createJudgeBudget(limitUsd: number, { pool, log, now }: BudgetDeps): JudgeBudget {
  return {
    reserve: async (estimateUsd) => {
      const month = toUtcMonth(now());
      const isReserved = await addSpending(pool, { month, usd: estimateUsd }, limitUsd);
      if (!isReserved) return null;
      return {
        settle: async (costUsd) => {
          try {
            await correctSpending(pool, { month, usd: costUsd - estimateUsd });
          } catch (error) {
            log.warn(
              { err: error },
              'the cost of a call of the LLM judge is not stored; its estimate counts',
            );
          }
        },
      };
    },
  };
}
