import { maxWindowDays } from '@bv/contract';
import { callRpc, judgeNamesRpc, RpcUnavailable } from '@bv/events';
import { transaction } from '@bv/postgres';
import type { Context } from '../context.ts';
import { lockBrandToken } from '../db/brands.ts';
import {
  claimNames,
  insertNameJudgements,
  listBrandsToJudge,
  listNamesToJudge,
  unscoreMergedDays,
} from '../db/name-judgements.ts';
import { addDays, toDay } from '../domain/calendar.ts';
import { changeBrandToken } from '../publish/publish.ts';
import { scoreUnscoredDays } from './import-units.ts';

type Job = Pick<Context, 'pool' | 'nats' | 'now'>;

const maxBrands = 100;

/**
 * Lets the LLM judge sort the names that answers present: at most one call a brand and day, over all processes. A call
 * without a reply ends the run: no process has an LLM judge that works.
 */
export async function judgeNames(ctx: Job, stopping: AbortSignal): Promise<void> {
  const today = toDay(ctx.now());
  let brandIds: string[];
  do {
    brandIds = await listBrandsToJudge(ctx.pool, { today, limit: maxBrands });
    for (const brandId of brandIds) {
      if (stopping.aborted) return;
      if (!(await claimNames(ctx.pool, brandId, today))) continue;
      if (!(await judgeBrand(ctx, { brandId, today }, stopping))) return;
    }
  } while (brandIds.length > 0);
}

/** Returns false if the call has no reply. */
async function judgeBrand(
  { pool, nats }: Job,
  { brandId, today }: { brandId: string; today: string },
  stopping: AbortSignal,
): Promise<boolean> {
  // Earlier days keep their spellings until they are scored again.
  const from = addDays(today, 1 - maxWindowDays.sources);
  const names = await listNamesToJudge(pool, brandId, from);
  if (names.every(({ is_judged }) => is_judged)) return true;
  const judgements = await callRpc(nats, judgeNamesRpc, { names }).catch((error: unknown) => {
    if (error instanceof RpcUnavailable) return null;
    throw error;
  });
  if (judgements === null) return false;
  await transaction(pool, async (tx) => {
    const brand = await lockBrandToken(tx, brandId);
    // Without a token, the organisation was purged meanwhile.
    if (brand === undefined || judgements.length === 0) return;
    await insertNameJudgements(tx, brandId, judgements);
    // A process that ends before it has scored them leaves them to the next start of one.
    await unscoreMergedDays(tx, brandId, from);
    await changeBrandToken(tx, { id: brandId, orgId: brand.org_id });
  });
  await scoreUnscoredDays(pool, stopping);
  return true;
}
