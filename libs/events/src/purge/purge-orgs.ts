import { failpoint, startInterval } from '@bv/lifecycle';
import { type Pool, removeInBatches, removeUnderLocks, type Transaction, transaction } from '@bv/postgres';
import type { Logger } from '@bv/telemetry';
import {
  addRemovedRows,
  listDuePurges,
  lockPurge,
  updatePurgeChecked,
  waitForWriters,
} from './org-purges.ts';
import {
  deletePurgedRows,
  listPurgedBrands,
  listPurgedRows,
  type PurgedTable,
  type PurgePlan,
  runPlanText,
  toPurgedTables,
} from './purge-plan.ts';

const everyMs = 5_000;
const orgsPerPage = 100;

type PurgeDeps = { pool: Pool; plan: PurgePlan; log: Logger };

/** Deletes the data of organisations whose purge is requested. Any process of the service may run it. */
export function startPurges({ pool, plan, log }: PurgeDeps): { stop(): Promise<void> } {
  const failed = (error: unknown) => log.warn({ err: error }, 'purge of organisations failed; retrying');
  return startInterval(everyMs, (stopping) => purgeOrgs({ pool, plan, log }, stopping), failed);
}

/** Runs every purge that is due. One that fails is logged and skipped. */
async function purgeOrgs(deps: PurgeDeps, stopping: AbortSignal): Promise<void> {
  let after: string | null = null;
  do {
    const page: string[] = await listDuePurges(deps.pool, { after, limit: orgsPerPage });
    for (const orgId of page) {
      if (stopping.aborted) return;
      await purgeOrgSafely(deps, orgId, stopping);
    }
    after = page.at(-1) ?? null;
  } while (after !== null);
}

async function purgeOrgSafely(deps: PurgeDeps, orgId: string, stopping: AbortSignal): Promise<void> {
  try {
    await purgeOrg(deps, orgId, stopping);
  } catch (error) {
    deps.log.warn({ err: error, orgId }, 'data of an organisation could not be deleted; retrying');
  }
}

type Owner = { orgId: string; brandId?: string };

/** Deletes table by table. The next run, in any process, continues one that ended early. */
async function purgeOrg({ pool, plan, log }: PurgeDeps, orgId: string, stopping: AbortSignal): Promise<void> {
  if (plan.busy !== undefined && (await runPlanText(pool, 'busy', { text: plan.busy, owner: orgId })) > 0)
    return;
  await waitForWriters(pool, orgId);
  const removed = await plan.before?.(orgId);
  if (removed !== undefined) await transaction(pool, (tx) => addRemovedRows(tx, orgId, removed));
  for (const brandId of await listPurgedBrands(pool, plan, orgId)) {
    for (const table of toPurgedTables(plan)) {
      if (!(await purgeTable({ pool, plan, table }, { orgId, brandId }, stopping))) return;
    }
  }
  for (const table of plan.tables) {
    if (table.isRemovedWithOthers === true) continue;
    if (!(await purgeTable({ pool, plan, table }, { orgId }, stopping))) return;
  }
  // A brand stays until its tables are empty. The next run continues with it.
  if ((await listPurgedBrands(pool, plan, orgId)).length > 0) return;
  await transaction(pool, async (tx) => {
    if (!(await lockPurge(tx, orgId))) return;
    if (plan.clear !== undefined) await runPlanText(tx, 'clear', { text: plan.clear, owner: orgId });
    await updatePurgeChecked(tx, orgId);
    tx.onCommit(() => log.info({ orgId }, 'no data of the organisation is left'));
  });
}

type TablePurge = { pool: Pool; plan: PurgePlan; table: PurgedTable };

/** Returns whether no row is left. */
async function purgeTable(
  { pool, plan, table }: TablePurge,
  { orgId, brandId }: Owner,
  stopping: AbortSignal,
): Promise<boolean> {
  const owner = brandId ?? orgId;
  const list = (limit: number) => listPurgedRows(pool, table, { owner, limit });
  const removeBatch = async (limit: number) => {
    const listed = await list(limit);
    if (listed.length === 0) return 0;
    let isLocked = false;
    const lock = async (tx: Transaction): Promise<void> => {
      isLocked = await lockPurge(tx, orgId);
      if (isLocked && brandId !== undefined && plan.brands !== undefined)
        await runPlanText(tx, 'lock', { text: plan.brands.lock, owner: brandId });
    };
    const batch = await removeUnderLocks(pool, lock, async (tx) =>
      isLocked ? deletePurgedRows(tx, table, { orgId, owner, listed }) : 0,
    );
    if (batch.rows === 0) return 0;
    failpoint('purge.batch_committed');
    // Rows that are locked now are listed again, while others are removed.
    return { ...batch, rows: listed.length };
  };
  await removeInBatches(removeBatch, stopping);
  return (await list(1)).length === 0;
}
