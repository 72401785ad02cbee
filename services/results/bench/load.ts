import { type Pool, transaction } from '@bv/postgres';
import { ingestUnits } from '../src/commands/ingest-units.ts';
import { type BrandLoad, generateUnits } from './generate.ts';

export const batchSize = 1_000;
const writers = 2;
const progressMs = 5_000;

const report = (line: string): boolean => process.stderr.write(`${line}\n`);

/**
 * Loads the units of every brand through the service's ingest, in batches, and reports the progress. `from` is the number
 * of the first brand. Returns the units stored per second.
 */
export async function loadUnits(
  pool: Pool,
  loads: readonly BrandLoad[],
  today: number,
  from: number,
): Promise<number> {
  const total = loads.reduce((sum, { units }) => sum + units, 0);
  const batches = loads.flatMap((load, index) =>
    Array.from({ length: Math.ceil(load.units / batchSize) }, (_, batch) => ({
      load,
      brand: from + index,
      range: { from: batch * batchSize, to: Math.min(load.units, (batch + 1) * batchSize) },
    })),
  );
  // Batches of one brand wait for each other at its change token, so consecutive batches belong to different brands.
  batches.sort((a, b) => a.range.from - b.range.from || a.brand - b.brand);
  const started = performance.now();
  let done = 0;
  const progress = setInterval(() => {
    report(`loading: ${((done / total) * 100).toFixed(0)} % of ${total} units`);
  }, progressMs);
  const queue = batches.values();
  const write = async (): Promise<void> => {
    for (const { load, brand, range } of queue) {
      const units = generateUnits(load, brand, range, today);
      const { newUnits } = await transaction(pool, (tx) => ingestUnits(tx, units));
      if (newUnits.length !== units.length) throw new Error('a generated unit was already stored');
      done += units.length;
    }
  };
  await Promise.all(Array.from({ length: writers }, write)).finally(() => clearInterval(progress));
  return total / ((performance.now() - started) / 1_000);
}
