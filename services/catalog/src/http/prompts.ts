import { ApiError, createPrompt, listPrompts, syncPrompts, updatePrompt } from '@bv/contract';
import { type Caller, callerGraceMs, route, processOnce } from '@bv/http';
import { buildPage, parsePage, startPosition, toCreatedAtPosition } from '@bv/pagination';
import { lockForPromptWrite } from '../commands/prompt-lock.ts';
import { addPrompt, changePrompt } from '../commands/prompts.ts';
import { finishSync, runSync } from '../commands/sync-prompts.ts';
import type { Context } from '../context.ts';
import { findBrand } from '../db/brands.ts';
import { listPromptRows } from '../db/prompt-lists.ts';
import { findPrompt, type PromptRow } from '../db/prompts.ts';
import { checkMarkets } from '../domain/markets.ts';
import { presentPrompt } from './present.ts';

export const listPromptsRoute = ({ pool, cursors }: Context) =>
  route(listPrompts, async ({ params: { orgId }, query: { cursor, limit, ...filters } }) => {
    const list = { operation: listPrompts.id, collection: [orgId], filters };
    const page = parsePage(cursors, list, { cursor, limit });
    const { brand_id, active, tag, platform, country } = page.filters;
    const rows = await listPromptRows(pool, {
      orgId,
      brandId: brand_id ?? null,
      active: active === undefined ? null : active === 'true',
      tag: tag ?? null,
      platform: platform ?? null,
      country: country ?? null,
      after: toCreatedAtPosition(page) ?? startPosition,
      limit: limit + 1,
    });
    const toSortKey = ({ created_at, id }: PromptRow): string[] => [created_at, id];
    return buildPage(cursors, page, { rows, toSortKey, present: presentPrompt });
  });

export const createPromptRoute = ({ pool, markets, promptQueue }: Context) =>
  route(createPrompt, async ({ params: { orgId, brandId }, body, sentBody, caller }) => {
    checkMarkets(markets, { path: 'countries', countries: sentBody.countries });
    // Before the queue, so that no write waits for a brand of another organisation.
    const brand = await findBrand(pool, brandId);
    if (brand?.org_id !== orgId) throw new ApiError('not_found');
    return promptQueue.run(brandId, () =>
      processOnce(pool, caller, createPrompt, async (tx) => {
        const parents = await lockForPromptWrite(tx, orgId, brandId);
        return { data: presentPrompt(await addPrompt(tx, parents, body, caller.keyId)) };
      }),
    );
  });

export const updatePromptRoute = ({ pool, markets, promptQueue }: Context) =>
  route(updatePrompt, async ({ params: { orgId, promptId }, body, sentBody, caller }) => {
    checkMarkets(markets, { path: 'countries', countries: sentBody.countries ?? [] });
    // A prompt never changes its brand, whose queue the write waits in.
    const prompt = await findPrompt(pool, promptId);
    if (prompt?.org_id !== orgId) throw new ApiError('not_found');
    const brandId = prompt.brand_id;
    return promptQueue.run(brandId, () =>
      processOnce(pool, caller, updatePrompt, async (tx) => {
        const parents = await lockForPromptWrite(tx, orgId, brandId);
        return { data: presentPrompt(await changePrompt(tx, parents, promptId, body)) };
      }),
    );
  });

export const syncPromptsRoute = ({ pool, markets, metrics, promptQueue, syncSlots, now }: Context) =>
  route(syncPrompts, async ({ params, body, sentBody, caller }) => {
    const rows = sentBody.prompts.map(({ countries }, index) => ({
      path: `prompts.${index}.countries`,
      countries,
    }));
    checkMarkets(markets, ...rows);
    const { keyId, operationId } = caller;
    const budgetMs = getSyncBudgetMs(caller, now());
    const stores = { pool, promptQueue, syncSlots };
    const progress = await runSync({ ...stores, ...params, keyId, operationId, body, budgetMs });
    return processOnce(pool, caller, syncPrompts, async (tx) => {
      // `progress` is undefined only for a recorded response, and `processOnce` returns that without this call.
      if (!progress) throw new ApiError('internal_error');
      const data = await finishSync(tx, progress);
      tx.onCommit(() => metrics.syncResults(data.results));
      return { data };
    });
  });

const [minBudgetMs, maxBudgetMs] = [2_000, 15_000];

/** Half of the time that the gateway waits for the response. */
function getSyncBudgetMs({ expiresAt }: Caller, now: Date): number {
  const waitsMs = expiresAt - callerGraceMs - now.getTime();
  return Math.min(maxBudgetMs, Math.max(minBudgetMs, waitsMs / 2));
}
