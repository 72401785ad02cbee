import { type allowanceChanged, type jobChanged, type unitFinalised } from '@bv/events';
import { eventually } from '@bv/testkit';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import {
  type Events,
  getScan,
  type Harness,
  planData,
  requestScan,
  startReplica,
  startScans,
} from './harness.ts';

let harness: Harness;
let replica: Awaited<ReturnType<typeof startReplica>>;

beforeAll(async () => {
  harness = await startScans();
  replica = await startReplica(harness.stores);
});

afterAll(async () => {
  await replica.stop();
  await harness.stop();
});

async function ended(plan: ReturnType<typeof planData>, jobId: string) {
  return eventually(
    async () => {
      const { body } = await getScan(replica.base, plan, jobId);
      expect(body.data.completed_at).not.toBeNull();
      return body.data;
    },
    { timeoutMs: 20_000 },
  );
}

describe('a scan through all five platforms', () => {
  test('ends completed with every unit told once', async () => {
    const plan = harness.know(planData({ prompts: 3, countries: ['US', 'DE'] }));
    const { status, body } = await requestScan(replica.base, plan);
    expect(status).toBe(202);
    const job = await ended(plan, body.data.job_id);
    expect(job.status).toBe('completed');
    expect(job.units.total).toBe(30);
    const units = (await harness.published('scans.unit.finalised.v1')) as Events<typeof unitFinalised>;
    expect(units).toHaveLength(30);
    expect(new Set(units.map(({ data }) => data.unit_id)).size).toBe(30);
    const states = (await harness.published('scans.job.changed.v1', job.job_id)) as Events<typeof jobChanged>;
    expect(states.map(({ version, data }) => [version, data.status])).toEqual([
      [1, 'queued'],
      [2, 'running'],
      [3, 'completed'],
    ]);
    const allowances = (await harness.published('scans.allowance.changed.v1', plan.org.id)) as Events<
      typeof allowanceChanged
    >;
    expect(allowances.at(-1)?.data).toMatchObject({ used: 1, limit: 10, remaining: 9, scan_credits: 0 });
  });
});
