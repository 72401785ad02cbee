import {
  ApiError,
  createExperiment,
  getExperiment,
  listExperiments,
  stopExperiment,
  validationError,
} from '@bv/contract';
import { callRpc, marketsRpc } from '@bv/events';
import { processOnce, type Route, route } from '@bv/http';
import { buildPage, endPosition, parsePage, toCreatedAtPosition } from '@bv/pagination';
import { transaction } from '@bv/postgres';
import { lockMeasured, measureExperiment } from '../commands/measure-experiment.ts';
import { registerExperiment } from '../commands/register-experiment.ts';
import { type Context, getToday } from '../context.ts';
import { findExperiment, listExperimentRows, updateExperiment } from '../db/experiments.ts';
import { listPromptTexts } from '../db/prompts.ts';
import { toDay } from '../domain/calendar.ts';
import { toExperiment, toStatus } from '../domain/experiment.ts';
import { findOrFetchPrompt, findOwnBrand } from './projections.ts';

export function createExperimentRoute(ctx: Context): Route {
  return route(createExperiment, async ({ params, body, caller, log }) => {
    const brand = await findOwnBrand(ctx, params);
    const now = ctx.now();
    await checkMarkets(ctx, body.countries ?? []);
    await fetchNewPrompts(ctx, brand.id, [
      ...(body.treated.prompt_ids ?? []),
      ...(body.control.prompt_ids ?? []),
    ]);
    return processOnce(ctx.pool, caller, createExperiment, async (tx) => {
      const { platforms = null, countries = null, note = null, ...given } = body;
      const row = await registerExperiment(tx, brand, { ...given, platforms, countries, note, now });
      tx.onCommit(() => log.info({ experimentId: row.id, brandId: brand.id }, 'experiment registered'));
      const today = toDay(now);
      const result = row.completed_at === null ? await measureExperiment(tx, row, today) : row.result;
      return { data: toExperiment(row, { today, result }) };
    });
  });
}

async function checkMarkets(ctx: Context, countries: readonly string[]): Promise<void> {
  if (countries.length === 0) return;
  const markets = new Set(await callRpc(ctx.nats, marketsRpc, {}));
  const details = countries.flatMap((country, index) =>
    markets.has(country)
      ? []
      : [{ path: `countries.${index}`, code: 'unsupported_country', message: `${country} is not scanned` }],
  );
  if (details.length > 0) throw validationError(details);
}

/** An error lists no more of them. */
const maxMissing = 100;
const fetchesAtOnce = 20;
const fetchDeadlineMs = 10_000;

/** Prompts that were just created may not be projected yet. */
async function fetchNewPrompts(ctx: Context, brandId: string, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return;
  const known = new Set((await listPromptTexts(ctx.pool, brandId)).map(({ id }) => id));
  const unknown = ids.filter((id) => !known.has(id));
  const deadline = performance.now() + fetchDeadlineMs;
  let missing = 0;
  for (let start = 0; start < unknown.length && missing < maxMissing; start += fetchesAtOnce) {
    if (performance.now() > deadline) throw new ApiError('api_unavailable');
    const some = unknown.slice(start, start + fetchesAtOnce);
    const prompts = await Promise.all(some.map((id) => findOrFetchPrompt(ctx, id)));
    missing += prompts.filter((prompt) => prompt?.brand_id !== brandId).length;
  }
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
  return route(getExperiment, async ({ params }) => {
    const { id: brandId, org_id: orgId } = await findOwnBrand(ctx, params);
    const today = getToday(ctx);
    const data = await transaction(
      ctx.pool,
      async (tx) => {
        const row = await findExperiment(tx, { id: params.experimentId, orgId, brandId });
        if (row === undefined) throw new ApiError('not_found');
        const isStored = (row.stopped_at ?? row.completed_at) !== null && !row.is_outdated;
        return toExperiment(row, {
          today,
          result: isStored ? row.result : await measureExperiment(tx, row, today),
        });
      },
      { isolation: 'repeatable read', readOnly: true },
    );
    return { data };
  });
}

export function stopExperimentRoute(ctx: Context): Route {
  return route(stopExperiment, async ({ params, caller, log }) => {
    const { id: brandId, org_id: orgId } = await findOwnBrand(ctx, params);
    return processOnce(ctx.pool, caller, stopExperiment, async (tx) => {
      const row = await lockMeasured(tx, { id: params.experimentId, orgId, brandId });
      if (row === undefined) throw new ApiError('not_found');
      const now = ctx.now();
      const today = toDay(now);
      const status = toStatus(row, today);
      if (status === 'completed' || status === 'stopped') {
        throw new ApiError('conflict', { message: `The experiment is ${status}` });
      }
      const result = await measureExperiment(tx, { ...row, stopped_at: now.toISOString() }, today);
      const stopped = await updateExperiment(tx, { id: row.id, result, end: 'stopped', at: now });
      tx.onCommit(() => log.info({ experimentId: row.id, brandId }, 'experiment stopped'));
      return { data: toExperiment(stopped, { today, result }) };
    });
  });
}
