import { maxWindowDays } from '@bv/contract';
import { callRpc, judgeNamesRpc, RpcUnavailable } from '@bv/events';
import { type Pool, type Transaction, transaction } from '@bv/postgres';
import type { Context } from '../context.ts';
import { lockBrandToken } from '../db/brands.ts';
import { isDayScored } from '../db/cell-days.ts';
import { replaceNameDays } from '../db/name-days.ts';
import {
  insertNameJudgements,
  listBrandsToJudge,
  listMergedDays,
  listNamesToJudge,
  type NameJudgement,
  releaseNameCall,
  reserveNameCall,
} from '../db/name-judgements.ts';
import { addDays, toDay } from '../domain/calendar.ts';
import { isTextKept, type KeptDays } from '../domain/retention.ts';
import { changeBrandToken } from '../publish/publish.ts';
import { orAbort } from '../worker/judge.ts';

type Job = Pick<Context, 'pool' | 'nats' | 'now'>;

const maxBrands = 100;

/**
 * Lets the LLM judge sort the names that answers present: at most one call a brand and day, over all processes. The run
 * ends if no process has an LLM judge that works and has a place now.
 */
export async function judgeNames(ctx: Job, stopping: AbortSignal): Promise<void> {
  const today = toDay(ctx.now());
  // Earlier days keep their spellings until they are scored again.
  const from = addDays(today, 1 - maxWindowDays.sources);
  let brandIds: string[];
  do {
    brandIds = await listBrandsToJudge(ctx.pool, { today, from, limit: maxBrands });
    for (const brandId of brandIds) {
      if (stopping.aborted || !ctx.nats.isConnected()) return;
      if (!(await reserveNameCall(ctx.pool, brandId, today))) continue;
      const outcome = await judgeBrand(ctx, { brandId, from }, stopping);
      if (outcome === 'refused') await releaseNameCall(ctx.pool, brandId, today);
      // Also the days that a process left when it ended.
      await joinSpellings(ctx, { brandId, from }, stopping);
      if (outcome !== 'done') return;
    }
  } while (brandIds.length > 0);
}

type BrandDays = { brandId: string; from: string };

/** `refused`: certainly no call was paid. `unavailable`: one may have been, but there is no LLM judge now. */
type Outcome = 'done' | 'refused' | 'unavailable';

async function judgeBrand(
  { pool, nats }: Job,
  { brandId, from }: BrandDays,
  stopping: AbortSignal,
): Promise<Outcome> {
  const names = await listNamesToJudge(pool, brandId, from);
  const unsorted = names.filter(({ is_judged }) => !is_judged);
  if (unsorted.length === 0) return 'done';
  let judgements: NameJudgement[] | null;
  try {
    judgements = await orAbort(callRpc(nats, judgeNamesRpc, { names }), stopping);
  } catch (error) {
    if (stopping.aborted) return 'unavailable';
    if (!(error instanceof RpcUnavailable)) throw error;
    if (error.reason === 'busy' || error.reason === 'no_responders') return 'refused';
    return error.reason === 'timeout' ? 'done' : 'unavailable';
  }
  if (judgements === null) return 'unavailable';
  // The call of another day sends the names again.
  if (judgements.length === 0) return 'done';
  const byKey = new Map(judgements.map((judgement) => [judgement.key, judgement]));
  // A name that the LLM judge leaves out would be sent, and paid for, every day.
  const sorted = unsorted.map(
    ({ key }): NameJudgement => byKey.get(key) ?? { key, kind: 'unknown', same_as: null },
  );
  await changeBrand(pool, brandId, async (tx) => (await insertNameJudgements(tx, brandId, sorted)) > 0);
  return 'done';
}

/** A day with units that are not scored yet is left to its scoring: its names would be of more answers than its sums. */
async function joinSpellings(
  { pool }: Job,
  { brandId, from }: BrandDays,
  stopping: AbortSignal,
): Promise<void> {
  for (const runDate of await listMergedDays(pool, brandId, from)) {
    if (stopping.aborted) return;
    await changeBrand(pool, brandId, async (tx, kept) => {
      if (!isTextKept(kept, runDate) || !(await isDayScored(tx, brandId, runDate))) return false;
      await replaceNameDays(tx, brandId, runDate);
      return true;
    });
  }
}

/** `change` says whether it changed anything. Without a token, the organisation was purged meanwhile. */
async function changeBrand(
  pool: Pool,
  brandId: string,
  change: (tx: Transaction, kept: KeptDays) => Promise<boolean>,
): Promise<void> {
  await transaction(pool, async (tx) => {
    const brand = await lockBrandToken(tx, brandId);
    if (brand === undefined) return;
    if (await change(tx, brand)) await changeBrandToken(tx, { id: brandId, orgId: brand.org_id });
  });
}
