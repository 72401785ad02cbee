import { type DateWindow, getPrecision, maxWindowDays, resolveWindow } from '@bv/contract';
import { callRpc, findAnswerPricesRpc, type RpcReply, RpcUnavailable } from '@bv/events';
import { type Route, route } from '@bv/http';
import type { Transaction } from '@bv/postgres';
import { haveSetsChanged, measurePrecision } from '@bv/statistics';
import { sumScans } from '../commands/compare-windows.ts';
import { type Context, getToday } from '../context.ts';
import { listModels, listObservedCells, listSpreads, type PrecisionSeries } from '../db/precision.ts';
import { listScannedUnits } from '../db/scans.ts';
import { addDays, countDays } from '../domain/calendar.ts';
import { type ObservedPrecision, toPrecision } from '../domain/precision.ts';
import { readConsistentPage } from './consistent-page.ts';
import { findOwnBrand } from './projections.ts';

const defaultDays = 28;
/** Weeks behind the last day whose changes show what is usual. */
const weeksBehind = 13;

export function getPrecisionRoute(ctx: Context): Route {
  return route(getPrecision, async ({ params, query }) => {
    const brand = await findOwnBrand(ctx, params);
    const { metric, width, country = null, platform = null } = query;
    const window = resolveWindow(query, getToday(ctx), maxWindowDays.precision, defaultDays - 1);
    const series = { brandId: brand.id, metric, country, platform };
    const prices = await findPrices(ctx);
    const { result } = await readConsistentPage(ctx, { page: {}, brandId: brand.id }, (tx) =>
      readPrecision(tx, series, { ...window, width }),
    );
    return { data: toPrecision({ metric, ...window }, result, prices) };
  });
}

async function readPrecision(
  tx: Transaction,
  series: PrecisionSeries,
  { width, ...window }: DateWindow & { width: number },
): Promise<ObservedPrecision> {
  const cells = await listObservedCells(tx, series, window);
  const behind = { from: addDays(window.to, 1 - 7 * weeksBehind), to: window.to };
  const spreads = await listSpreads(tx, series, behind);
  const days = countDays(window);
  const middle = addDays(window.from, Math.floor(days / 2));
  const models = await listModels(tx, series, { ...window, middle });
  const { failed } = sumScans(await listScannedUnits(tx, [series.brandId], window), {
    countries: series.country === null ? null : [series.country],
    platforms: series.platform === null ? null : [series.platform],
  });
  const history = (of: 7 | 28) => spreads.filter((each) => each.days === of);
  return {
    precision: measurePrecision({ cells, days, width, history: { 7: history(7), 28: history(28) } }),
    platforms: cells.map(({ platform }) => platform),
    hasPartialRuns: failed > 0,
    hasChangedModels: haveSetsChanged(
      models.filter(({ is_earlier }) => is_earlier),
      models.filter(({ is_later }) => is_later),
      { toGroup: ({ platform }) => platform, toValues: ({ model }) => [model] },
    ),
  };
}

/** No prices while scans does not reply: the costs are then null. */
async function findPrices({ nats }: Context): Promise<RpcReply<typeof findAnswerPricesRpc>> {
  try {
    return await callRpc(nats, findAnswerPricesRpc, {});
  } catch (error) {
    if (error instanceof RpcUnavailable) return {};
    throw error;
  }
}
