import {
  ApiError,
  createExperiment,
  type Experiment,
  getExperiment,
  listExperiments,
  stopExperiment,
  validationError,
} from '@bv/contract';
import { callRpc, marketsRpc } from '@bv/events';
import { processOnce, type Route, route } from '@bv/http';
import { buildPage, endPosition, parsePage, toCreatedAtPosition } from '@bv/pagination';
import { type Transaction, transaction } from '@bv/postgres';
import { measureExperiment } from '../commands/measure-experiment.ts';
import { registerExperiment } from '../commands/register-experiment.ts';
import { type Context, getToday } from '../context.ts';
import { findExperiment, listExperimentRows, lockExperiment, updateExperiment } from '../db/experiments.ts';
import { findKeptDays } from '../db/retention.ts';
import { countDays } from '../domain/calendar.ts';
import { type ExperimentRow, toExperiment, toStatus } from '../domain/experiment.ts';
import { findOrFetchPrompt, findOwnBrand } from './projections.ts';

const maxDaysAway = 366;

export function createExperimentRoute(ctx: Context): Route {
  return route(createExperiment, async ({ params, body, caller, log }) => {
    const brand = await findOwnBrand(ctx, params);
    if (brand.sunset_at !== null) {
      throw new ApiError('brand_archived', { details: { brand_id: brand.id } });
    }
    const today = getToday(ctx);
    await checkPlan(ctx, body, today);
    // A prompt that was just created may not be projected yet.
    for (const id of [...(body.treated.prompt_ids ?? []), ...(body.control.prompt_ids ?? [])]) {
      await findOrFetchPrompt(ctx, id);
    }
    return processOnce(ctx.pool, caller, createExperiment, async (tx) => {
      const { platforms = null, countries = null, note = null, ...given } = body;
      const row = await registerExperiment(tx, brand, {
        ...given,
        platforms,
        countries,
        note,
        now: ctx.now(),
      });
      tx.onCommit(() => log.info({ experimentId: row.id, brandId: brand.id }, 'experiment registered'));
      return { data: await present(tx, row, today) };
    });
  });
}

async function checkPlan(
  ctx: Context,
  { starts_on: startsOn, countries = [] }: { starts_on: string; countries?: string[] | undefined },
  today: string,
): Promise<void> {
  if (Math.abs(countDays({ from: today, to: startsOn }) - 1) > maxDaysAway) {
    throw validationError([
      { path: 'starts_on', code: 'too_far', message: `At most ${maxDaysAway} days before or after today` },
    ]);
  }
  if (countries.length === 0) return;
  const markets = new Set(await callRpc(ctx.nats, marketsRpc, {}));
  const details = countries.flatMap((country, index) =>
    markets.has(country)
      ? []
      : [{ path: `countries.${index}`, code: 'unsupported_country', message: `${country} is not scanned` }],
  );
  if (details.length > 0) throw validationError(details);
}

export function listExperimentsRoute(ctx: Context): Route {
  return route(listExperiments, async ({ params, query }) => {
    const brand = await findOwnBrand(ctx, params);
    const list = { operation: listExperiments.id, collection: [params.orgId, params.brandId] };
    const page = parsePage(ctx.cursors, list, query);
    const before = toCreatedAtPosition(page) ?? endPosition;
    const rows = await listExperimentRows(ctx.pool, { brandId: brand.id, before, limit: page.limit + 1 });
    const today = getToday(ctx);
    return buildPage(ctx.cursors, page, {
      rows,
      toSortKey: (row) => [row.created_at, row.id],
      present: (row) => toExperiment(row, { today, result: row.result }),
    });
  });
}

export function getExperimentRoute(ctx: Context): Route {
  return route(getExperiment, async ({ params: { orgId, brandId, experimentId } }) => {
    const data = await transaction(
      ctx.pool,
      async (tx) => {
        const row = await findExperiment(tx, { id: experimentId, orgId, brandId });
        if (row === undefined) throw new ApiError('not_found');
        return present(tx, row, getToday(ctx));
      },
      { isolation: 'repeatable read', readOnly: true },
    );
    return { data };
  });
}

/** With the result of now. Once retention has removed days, the stored one stays. */
async function present(tx: Transaction, row: ExperimentRow, today: string): Promise<Experiment> {
  const { units_from: keptFrom } = await findKeptDays(tx, row.brand_id);
  const isKept = keptFrom === null || keptFrom <= row.pre_from;
  const result = isKept ? await measureExperiment(tx, row, today) : row.result;
  return toExperiment(row, { today, result });
}

export function stopExperimentRoute(ctx: Context): Route {
  return route(stopExperiment, async ({ params: { orgId, brandId, experimentId }, caller, log }) =>
    processOnce(ctx.pool, caller, stopExperiment, async (tx) => {
      const row = await lockExperiment(tx, { id: experimentId, orgId, brandId });
      if (row === undefined) throw new ApiError('not_found');
      const today = getToday(ctx);
      const status = toStatus(row, today);
      if (status === 'completed' || status === 'stopped') throw new ApiError('conflict');
      const stopped = { ...row, stopped_at: ctx.now().toISOString() };
      const result = await measureExperiment(tx, stopped, today);
      const stored = await updateExperiment(tx, { id: row.id, result, end: 'stopped', at: ctx.now() });
      tx.onCommit(() => log.info({ experimentId: row.id, brandId }, 'experiment stopped'));
      return { data: toExperiment(stored, { today, result }) };
    }),
  );
}
