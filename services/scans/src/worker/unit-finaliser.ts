import { isUnavailable, type Pool } from '@bv/postgres';
import { createBatcher } from '@bv/resilience';
import type { AnswerPrices } from '../domain/answer-price.ts';
import { finaliseUnits, type FinalUnit } from '../commands/persist-outcome.ts';

/** Finalises a unit in a transaction with others. Returns false if its lease was lost. */
export type FinaliseUnit = (unit: FinalUnit) => Promise<boolean>;

/** The largest event has half a megabyte, of which a transaction needs several copies. */
const maxBatchSize = 20;
/** Answers that end close together share a transaction. Short compared with the seconds a platform takes. */
const lingerMs = 5;
/** An answer waits no longer for the transaction before it, so that one that hangs does not hold the others. */
const maxDelayMs = 50;
/** Few, because transactions for one job wait for each other. */
const maxInFlight = 4;

/**
 * Units that end within a few milliseconds, or while a transaction commits, are finalised together.
 */
export const createUnitFinaliser = (pool: Pool, prices: AnswerPrices): FinaliseUnit =>
  createBatcher<FinalUnit, boolean>({
    maxBatchSize,
    lingerMs,
    maxDelayMs,
    maxInFlight,
    send: (units) => finaliseIsolated(pool, units, prices),
  });

/** A unit that cannot be stored fails alone: the answers of the others were paid for. */
async function finaliseIsolated(
  pool: Pool,
  units: readonly FinalUnit[],
  prices: AnswerPrices,
): Promise<(boolean | Error)[]> {
  try {
    return await finaliseUnits(pool, units, prices);
  } catch (error) {
    if (units.length === 1 || isUnavailable(error)) throw error;
  }
  const replies: (boolean | Error)[] = [];
  for (const unit of units)
    replies.push(await finaliseUnits(pool, [unit], prices).then(([isStored]) => isStored === true, toError));
  return replies;
}

const toError = (error: unknown): Error => (error instanceof Error ? error : new Error(String(error)));
