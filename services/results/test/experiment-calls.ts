import { afterAll, beforeAll, beforeEach } from '@jest/globals';
import { createExperiment, getExperiment, listExperiments, stopExperiment } from '@bv/contract';
import type { Pool } from '@bv/postgres';
import { completeExperiments } from '../src/commands/complete-experiments.ts';
import { createServicePool } from './check-windows.ts';
import type { Brand, Prompt } from './events.ts';
import { type Results, startResults, toBrandParams } from './results.ts';
import { serveOrgs } from './retention.ts';

type Body = Parameters<typeof createExperiment.body.parse>[0];
type Event = { data: { experiment: { result: unknown } } };

/** Starts the service for the tests of a file, on 2026-11-21 at noon. Returns it and its operations on experiments. */
export function useExperiments() {
  let results: Results;
  let pool: Pool;
  let now: Date;
  const newPrompts: Prompt[] = [];
  const setToday = (day: string): void => {
    now = new Date(`${day}T12:00:00Z`);
  };
  beforeAll(async () => {
    results = await startResults({ now: () => now });
    pool = createServicePool(results);
    await results.serveCatalog([], 1, newPrompts);
    await serveOrgs(results);
  });
  beforeEach(() => setToday('2026-11-21'));
  afterAll(async () => {
    await pool.end();
    await results.stop();
  });
  const at = (brand: Brand, experimentId: string) => ({ params: { ...toBrandParams(brand), experimentId } });
  return {
    service: () => results,
    /** Those that only the catalog has. */
    newPrompts,
    setToday,
    /** As the maintenance of a process does. */
    maintain: (time?: Date) =>
      completeExperiments({ pool, now: () => time ?? now, log: results.log }, new AbortController().signal),
    create: (brand: Brand, body: Body) =>
      results.call(createExperiment, { params: toBrandParams(brand), body: body as never }),
    read: async (brand: Brand, experimentId: string) =>
      (await results.call(getExperiment, at(brand, experimentId))).data,
    stop: (brand: Brand, experimentId: string) => results.call(stopExperiment, at(brand, experimentId)),
    list: (brand: Brand, query = '') =>
      results.call(listExperiments, { params: toBrandParams(brand), query }),
    readEvents: (experimentId: string) =>
      results.query<Event>(
        `select envelope -> 'data' as data from outbox
         where type = 'results.experiment.completed.v1' and aggregate_id = $1`,
        [experimentId],
      ),
  };
}
