import { callRpc, findOrgRpc, RpcUnavailable } from '@bv/events';
import { failpoint } from '@bv/lifecycle';
import { transaction } from '@bv/postgres';
import type { Logger } from '@bv/telemetry';
import { LeaseLost, replaceDay, skipDay } from '../commands/replace-day.ts';
import type { Context } from '../context.ts';
import { lockBrandToken } from '../db/brands.ts';
import {
  type Lease,
  type LeasedJob,
  updateReprocessBegun,
  updateReprocessEnded,
  updateReprocessRestarted,
} from '../db/reprocess-leases.ts';
import { countAnswers, listAnsweredDays } from '../db/stored-answers.ts';
import { isTextKept } from '../domain/retention.ts';
import type { ReprocessMetrics } from '../telemetry.ts';
import { findIdentity, type Identity, requestIdentity } from './identity.ts';
import { readAhead, readAnswers } from './read-answers.ts';
import type { Reader } from './reader.ts';

export type JobDeps = Pick<Context, 'pool' | 'nats'> & {
  reader: Reader;
  /** Share of the time that reading may take, in percent. */
  sharePercent: number;
  metrics: ReprocessMetrics;
  log: Logger;
};

type Run = JobDeps & { lease: Lease; signal: AbortSignal };

/** Bounds the work of a job whose brand changes all the time. */
const restartDelayMs = 2_000;

/**
 * Runs one day of a leased job and gives the job back, or ends it. If the brands differ from those of the days done,
 * the job begins again. Throws `LeaseLost`, and the reason of the signal.
 */
export async function runDay(run: Run, leased: LeasedJob): Promise<void> {
  const { pool } = run;
  const isNew = leased.identity_hash === null;
  if (isNew && leased.by_operator && (await isDeleted(run, leased.org_id))) return complete(run, leased);
  const job = isNew ? await begin(run, leased) : leased;
  const identity = await findIdentity(pool, job.brand_id);
  if (identity.hash !== job.identity_hash) return restart(run);
  const window = { from: job.next_day, to: job.to_date };
  const [runDate] = await listAnsweredDays(pool, job.brand_id, window);
  if (runDate !== undefined) return reprocessDay(run, job, { identity, runDate });
  // A completed job was made with one identity, the current one.
  const { hash } = await requestIdentity(run, job.brand_id);
  return hash === job.identity_hash ? complete(run, job) : restart(run);
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

async function begin(
  run: Run,
  { brand_id: brandId, to_date: to, from_date: from }: LeasedJob,
): Promise<LeasedJob> {
  const { pool, lease, signal, log } = run;
  const { hash } = await requestIdentity(run, brandId);
  let unitsTotal = 0;
  for (const runDate of await listAnsweredDays(pool, brandId, { from, to })) {
    signal.throwIfAborted();
    unitsTotal += await countAnswers(pool, { brandId, runDate });
  }
  const job = await updateReprocessBegun(pool, lease, { identityHash: hash, unitsTotal });
  if (job === undefined) throw new LeaseLost();
  log.info({ unitsTotal }, 'reprocess job begun');
  return job;
}

async function restart({ pool, lease, metrics, log }: Run): Promise<void> {
  if (!(await updateReprocessRestarted(pool, lease, restartDelayMs))) throw new LeaseLost();
  metrics.jobRestarted();
  log.info('the brand has changed: the reprocess job begins again');
}

type Day = { identity: Identity; runDate: string };

async function reprocessDay(run: Run, job: LeasedJob, { identity, runDate }: Day): Promise<void> {
  const { pool, nats, reader, sharePercent, metrics, lease, signal, log } = run;
  const startedAt = performance.now();
  const day = { brandId: job.brand_id, runDate, identity };
  const read = await readAhead({ db: pool, reader, nats, signal, sharePercent }, day);
  const outcome = await transaction(pool, async (tx) => {
    const brand = await lockBrandToken(tx, job.brand_id);
    if (brand === undefined) throw new Error(`brand ${job.brand_id} has units, but no change token`);
    if ((await findIdentity(tx, job.brand_id)).hash !== identity.hash) return 'changed';
    if (!isTextKept(brand, runDate)) return skipDay(tx, lease, runDate);
    // Units that came meanwhile are read too. No call holds the lock.
    const pages = readAnswers({ db: tx, reader, nats: null, signal }, day, read);
    const brandIds = identity.tracked.map(({ id }) => id);
    const replaced = await replaceDay(tx, lease, { ...day, orgId: brand.org_id, brandIds }, pages);
    failpoint('reprocess.day_replaced');
    return replaced;
  });
  if (outcome === 'changed') return restart(run);
  failpoint('reprocess.day_committed');
  const durationMs = performance.now() - startedAt;
  metrics.dayDone({ ...outcome, durationMs });
  log.debug({ runDate, ...outcome, durationMs }, 'day reprocessed');
}

async function complete({ pool, lease, metrics, log }: Run, job: LeasedJob): Promise<void> {
  if (!(await updateReprocessEnded(pool, lease, 'completed'))) throw new LeaseLost();
  failpoint('reprocess.job_ended');
  metrics.jobEnded('completed');
  log.info({ units: job.units_done, changed: job.units_changed }, 'reprocess job completed');
}
