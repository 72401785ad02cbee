import { ApiError, syncPrompts as operation } from '@bv/contract';
import { route, runOnce } from '@bv/http';
import { finishSync, runSync } from '../commands/sync-prompts.ts';
import type { Context } from '../context.ts';
import { checkMarkets } from '../domain/markets.ts';

export const syncPromptsRoute = ({ pool, markets, metrics }: Context) =>
  route(operation, async ({ params, body, sentBody, caller }) => {
    const rows = sentBody.prompts.map(({ countries }, index) => ({
      path: `prompts.${index}.countries`,
      countries,
    }));
    checkMarkets(markets, ...rows);
    const { keyId, operationId } = caller;
    const progress = await runSync({ pool, ...params, keyId, operationId, body });
    return runOnce(pool, caller, operation, async (tx) => {
      // Only a recorded answer leaves nothing to make one from, and then this is not called.
      if (!progress) throw new ApiError('internal_error');
      const data = await finishSync(tx, progress);
      metrics.syncResults(data.results);
      return { data };
    });
  });
