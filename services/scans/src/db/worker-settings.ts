import type { MeasuredPlatform } from '@bv/contract';
import { execute, maybeOne, type Queryable } from '@bv/postgres';
import type { AnswerPrices } from '../domain/answer-price.ts';

/** How workers measure, and at which prices. `llm_model` is that of the LLM judge; null without one. */
export type WorkerSettings = {
  platforms: MeasuredPlatform[];
  llm_model: string | null;
  prices: AnswerPrices;
};

/** Replaces what an earlier worker stored. */
export async function storeWorkerSettings(db: Queryable, settings: WorkerSettings): Promise<void> {
  await execute(db, {
    name: 'scans.store_worker_settings',
    text: `insert into worker_settings (platforms, llm_model, prices) values ($1, $2, $3)
           on conflict (is_only) do update set
             platforms = excluded.platforms, llm_model = excluded.llm_model, prices = excluded.prices`,
    values: [JSON.stringify(settings.platforms), settings.llm_model, JSON.stringify(settings.prices)],
  });
}

/** Nothing is measured before the first worker started. */
export async function findWorkerSettings(db: Queryable): Promise<WorkerSettings> {
  const stored = await maybeOne<WorkerSettings>(db, {
    name: 'scans.find_worker_settings',
    text: 'select platforms, llm_model, prices from worker_settings',
    values: [],
  });
  return stored ?? { platforms: [], llm_model: null, prices: {} };
}
