import { ApiError, syncPrompts as operation } from '@bv/contract';
import { type Caller, callerGraceMs, route, runOnce } from '@bv/http';
import { finishSync, runSync } from '../commands/sync-prompts.ts';
import type { Context } from '../context.ts';
import { checkMarkets } from '../domain/markets.ts';

const [minBudgetMs, maxBudgetMs] = [2_000, 15_000];

/** Half of the time that the gateway waits for the response. */
function budgetMs({ expiresAt }: Caller): number {
  const waitsMs = expiresAt - callerGraceMs - Date.now();
  return Math.min(maxBudgetMs, Math.max(minBudgetMs, waitsMs / 2));
}

export const syncPromptsRoute = ({ pool, markets, metrics, promptWrites, syncSlots }: Context) =>
  route(operation, async ({ params, body, sentBody, caller }) => {
    const rows = sentBody.prompts.map(({ countries }, index) => ({
      path: `prompts.${index}.countries`,
      countries,
    }));
    checkMarkets(markets, ...rows);
    const { keyId, operationId } = caller;
    const progress = await runSync({
      pool,
      promptWrites,
      syncSlots,
      ...params,
      keyId,
      operationId,
      body,
      budgetMs: budgetMs(caller),
    });
    return runOnce(pool, caller, operation, async (tx) => {
      // `progress` is undefined only for a recorded response, and `runOnce` returns that without this call.
      if (!progress) throw new ApiError('internal_error');
      const data = await finishSync(tx, progress);
      metrics.syncResults(data.results);
      return { data };
    });
  });
