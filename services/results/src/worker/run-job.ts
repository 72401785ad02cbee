import { callRpc, findOrgRpc, RpcUnavailable } from '@bv/events';
import { failpoint } from '@bv/lifecycle';
import { transaction } from '@bv/postgres';
import type { Logger } from '@bv/telemetry';
import { LeaseLost, replaceDay, skipDay } from '../commands/replace-day.ts';
import type { Context } from '../context.ts';
import { lockBrandToken } from '../db/brands.ts';
import { countAnswers, findAnsweredDay, findDayStoredSince, listAnsweredDays } from '../db/reprocess-days.ts';
import {
  findLeasedJob,
  type Lease,
  type LeasedJob,
  updateReprocessBegun,
  updateReprocessCatchingUp,
  updateReprocessEnded,
} from '../db/reprocess-leases.ts';
import { hasUnreadUnits } from '../db/reprocess-units.ts';
import { isTextKept } from '../domain/retention.ts';
import type { ReprocessMetrics } from '../telemetry.ts';
import { findIdentity, type Identity, requestIdentity } from './identity.ts';
import { readUnits } from './read-units.ts';
import type { Reader } from './reader.ts';

export type JobDeps = Pick<Context, 'pool' | 'nats'> & {
  reader: Reader;
  sharePercent: number;
  metrics: ReprocessMetrics;
  log: Logger;
};

const maxRetries = 3;
/** Then units that arrive meanwhile are read under the lock of the token row, without the LLM judge. */
const maxRounds = 20;

type Run = JobDeps & { lease: Lease; signal: AbortSignal };

/** `changed`: the brand differs from that of the days done, so the job must begin again. */
export type TurnOutcome = 'day done' | 'changed' | 'completed';

/**
 * Runs one turn of a leased job: at most one day. Each step is stored, so that another worker can continue. Throws
 * `LeaseLost`, and the reason of the signal.
 */
export async function runTurn(run: Run): Promise<TurnOutcome> {
  for (;;) {
    run.signal.throwIfAborted();
    const job = await findLeasedJob(run.pool, run.lease);
    if (job === undefined) throw new LeaseLost();
    const outcome = await runStep(run, job);
    if (outcome !== 'prepared') return outcome;
  }
}

async function runStep(run: Run, job: LeasedJob): Promise<TurnOutcome | 'prepared'> {
  if (job.identity_hash === null) {
    if (job.by_operator && (await isDeleted(run, job.org_id))) return end(run, job);
    await begin(run, job);
    return 'prepared';
  }
  const identity = await findIdentity(run.pool, job.brand_id);
  if (identity.hash !== job.identity_hash) return 'changed';
  const runDate = await findNextDay(run, job);
  if (runDate !== undefined) return reprocessDay(run, job, { identity, runDate });
  if (job.is_catching_up) return complete(run, job);
  requireLease(await updateReprocessCatchingUp(run.pool, run.lease));
  return 'prepared';
}

function requireLease(isHeld: boolean): void {
  if (!isHeld) throw new LeaseLost();
}

function findNextDay({ pool }: Run, job: LeasedJob): Promise<string | undefined> {
  const window = { from: job.from_date, to: job.next_day };
  if (!job.is_catching_up || job.identity_since === null) return findAnsweredDay(pool, job.brand_id, window);
  // A scan may have built these units with an older identity.
  return findDayStoredSince(pool, job.brand_id, { ...window, since: job.identity_since });
}

/** Whether the catalog says so: without a reply, the job goes on. */
async function isDeleted({ nats }: Run, orgId: string): Promise<boolean> {
  try {
    const org = await callRpc(nats, findOrgRpc, { id: orgId });
    return org === null || org.data.deleted_at !== null;
  } catch (error) {
    if (error instanceof RpcUnavailable) return false;
    throw error;
  }
}

async function begin(run: Run, job: LeasedJob): Promise<void> {
  const { pool, lease } = run;
  const { hash } = await requestIdentity(run, job.brand_id);
  let unitsTotal = 0;
  for (const runDate of await listAnsweredDays(pool, job.brand_id, {
    from: job.from_date,
    to: job.to_date,
  })) {
    run.signal.throwIfAborted();
    unitsTotal += await countAnswers(pool, { brandId: job.brand_id, runDate });
  }
  requireLease(
    await transaction(
      pool,
      async (tx) => {
        // After it, every answer is committed that was stored up to this token. Those stored later get a later one.
        const token = await lockBrandToken(tx, job.brand_id);
        // A brand without a token may get its first answers at this moment.
        const since = token?.changed_at ?? 'epoch';
        return updateReprocessBegun(tx, lease, { identityHash: hash, since, unitsTotal });
      },
      { retries: maxRetries },
    ),
  );
  run.log.info({ unitsTotal }, 'reprocess job begun');
}

type Day = { identity: Identity; runDate: string };

async function reprocessDay(run: Run, job: LeasedJob, { identity, runDate }: Day): Promise<TurnOutcome> {
  const { pool, nats, reader, sharePercent, metrics, lease, signal, log } = run;
  const startedAt = performance.now();
  const day = { brandId: job.brand_id, runDate };
  const work = { ...day, identity };
  for (let round = 1; ; round += 1) {
    await readUnits({ db: pool, reader, nats, sharePercent, signal }, lease, work);
    const outcome = await transaction(
      pool,
      async (tx) => {
        const brand = await lockBrandToken(tx, job.brand_id);
        if (brand === undefined) throw new Error(`brand ${job.brand_id} has units, but no change token`);
        if (!isTextKept(brand, runDate)) return skipDay(tx, lease, day);
        if ((await findIdentity(tx, job.brand_id)).hash !== identity.hash) return 'changed';
        if (await hasUnreadUnits(tx, lease, day)) {
          if (round < maxRounds) return 'unread';
          await readUnits({ db: tx, reader, nats: null, sharePercent: 100, signal }, lease, work);
        }
        const replaced = await replaceDay(tx, lease, { ...day, orgId: brand.org_id });
        failpoint('reprocess.day_replaced');
        return replaced;
      },
      { retries: maxRetries },
    );
    if (outcome === 'unread') continue;
    if (outcome === 'changed') return outcome;
    failpoint('reprocess.day_committed');
    const durationMs = performance.now() - startedAt;
    metrics.dayDone({ ...outcome, durationMs });
    log.debug({ runDate, ...outcome, durationMs }, 'day reprocessed');
    return 'day done';
  }
}

/** A completed job was made with one identity, the current one. */
async function complete(run: Run, job: LeasedJob): Promise<TurnOutcome> {
  const { hash } = await requestIdentity(run, job.brand_id);
  return hash === job.identity_hash ? end(run, job) : 'changed';
}

async function end({ pool, lease, metrics, log }: Run, job: LeasedJob): Promise<TurnOutcome> {
  requireLease(await updateReprocessEnded(pool, lease, 'completed'));
  failpoint('reprocess.job_ended');
  metrics.jobEnded('completed');
  log.info({ units: job.units_done, changed: job.units_changed }, 'reprocess job completed');
  return 'completed';
}
