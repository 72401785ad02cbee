import { randomUUID } from 'node:crypto';
import { callRpc, findAllowanceRpc, type ScanPlan, unitFinalised } from '@bv/events';
import { retryUnavailable } from '@bv/testkit';
import { afterEach, expect } from '@jest/globals';
import { type Harness, type Replica, requestScan, simulate } from './harness.ts';

/** Starts replicas for the tests of a file. After each test they are stopped and the queue is emptied. */
export function useReplicas(getHarness: () => Harness) {
  const replicas = new Set<Replica>();
  afterEach(async () => {
    const harness = getHarness();
    await Promise.all([...replicas].map((replica) => replica.stop()));
    replicas.clear();
    simulate(harness.simulator, { kind: null });
    await harness.query(`delete from scan_units`);
    await harness.query(`update rate_buckets set next_at = '-infinity'`);
  });
  return async (env: Record<string, string> = {}): Promise<Replica> => {
    const replica = await getHarness().startReplica({ env });
    replicas.add(replica);
    return replica;
  };
}

export async function queue(replica: Replica, plan: ScanPlan): Promise<string> {
  const options = { key: randomUUID(), operationId: randomUUID() };
  const { status, data } = await retryUnavailable(() => requestScan(replica, plan, options));
  expect(status).toBe(202);
  return data.job_id;
}

type Unit = { status: string; attempts: number; error_kind: string | null; latency_ms: number | null };

export function findUnits(harness: Harness, jobId: string): Promise<Unit[]> {
  const sql = 'select status, attempts, error_kind, latency_ms from scan_units where job_id = $1';
  return harness.query<Unit>(sql, [jobId]);
}

export async function findUnitEvents(harness: Harness, jobId: string) {
  const all = await harness.listPublished(unitFinalised);
  return all.filter(({ data }) => data.job_id === jobId);
}

export const findAllowance = (harness: Harness, { org }: Pick<ScanPlan, 'org'>) =>
  callRpc(harness.connection, findAllowanceRpc, { org_id: org.id });

/** Locks the row of a job, which the transactions that finalise its units wait for. */
export async function lockJob(harness: Harness, jobId: string) {
  const client = await harness.sql.connect();
  await client.query('begin');
  await client.query('select 1 from scan_jobs where id = $1 for update', [jobId]);
  let isLocked = true;
  const release = async (): Promise<void> => {
    if (!isLocked) return;
    isLocked = false;
    await client.query('rollback');
    client.release();
  };
  return {
    release,
    [Symbol.asyncDispose]: release,
  };
}
