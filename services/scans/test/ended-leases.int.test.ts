import { eventually } from '@bv/testkit';
import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import { planData } from './catalog-stub.ts';
import { awaitJob, awaitStatements, type Harness, type Replica, simulate, startScans } from './harness.ts';
import { type HoldingProxy, startHoldingProxy } from './holding-proxy.ts';
import { findUnitEvents, findUnits, queue, useReplicas } from './replicas.ts';

let harness: Harness;
let proxy: HoldingProxy;

beforeAll(async () => {
  harness = await startScans();
  proxy = await startHoldingProxy(harness.database.url);
});
afterAll(async () => {
  await harness.stop();
  await proxy.close();
});

const start = useReplicas(() => harness);
afterEach(() => proxy.release());

const awaitPolls = ({ monitoringUrl }: Replica, times: number) =>
  awaitStatements(monitoringUrl, 'scans.list_due_platforms', times);

/** Each replica polls four times a second, and takes over units 5 s after its start. */
const awaitTakeOver = (replica: Replica) => awaitPolls(replica, 32);

/** Queues a scan of one unit whose answer the platform holds. */
async function queueHeld(replica: Replica) {
  simulate(harness.simulator, { kind: 'hold' }, ['chatgpt']);
  const calls = harness.simulator.state.requests.chatgpt;
  const plan = harness.registerPlan(planData({ prompts: 1, platforms: ['chatgpt'] }));
  const jobId = await queue(replica, plan);
  await eventually(() => expect(harness.simulator.state.held).toBe(1));
  const expectOneCall = async (): Promise<void> => {
    expect((await awaitJob(replica, plan, jobId)).status).toBe('completed');
    expect(await findUnits(harness, jobId)).toMatchObject([{ attempts: 1, status: 'answered' }]);
    expect(await findUnitEvents(harness, jobId)).toHaveLength(1);
    expect(harness.simulator.state.requests.chatgpt - calls).toBe(1);
  };
  return { jobId, expectOneCall };
}

test('a statement that waits for the database during an outage leases no unit whose answer the process holds', async () => {
  const replica = await start({
    DATABASE_URL: proxy.url,
    UNIT_LEASE_MS: '4000',
    UNIT_TIMEOUT_MS: '60000',
  });
  const { jobId, expectOneCall } = await queueHeld(replica);
  await awaitTakeOver(replica);
  proxy.hold();
  simulate(harness.simulator, { kind: null }, ['chatgpt']);
  await eventually(async () => {
    const ended = 'select 1 from scan_units where job_id = $1 and next_attempt_at < clock_timestamp()';
    expect(await harness.query(ended, [jobId])).toHaveLength(1);
  });
  // The poll is the first that reaches the database again: before the heartbeat, and before the answer is stored.
  proxy.release('scans.list_due_platforms');
  await awaitPolls(replica, 2);
  expect(await findUnits(harness, jobId)).toMatchObject([{ attempts: 1, status: 'running' }]);
  proxy.release();
  await expectOneCall();
}, 60_000);

test('a worker whose lease ended during an outage keeps its units, if it renews them soon after', async () => {
  const env = { UNIT_LEASE_MS: '9000', UNIT_TIMEOUT_MS: '60000' };
  const { jobId, expectOneCall } = await queueHeld(await start(env));
  const other = await start(env);
  await awaitTakeOver(other);
  await harness.query('update scan_units set next_attempt_at = clock_timestamp() where job_id = $1', [jobId]);
  await awaitPolls(other, 4);
  expect(await findUnits(harness, jobId)).toMatchObject([{ attempts: 1, status: 'running' }]);
  await eventually(async () => {
    const renewed = 'select 1 from scan_units where job_id = $1 and lease_ended_at is null';
    expect(await harness.query(renewed, [jobId])).toHaveLength(1);
  });
  simulate(harness.simulator, { kind: null }, ['chatgpt']);
  await expectOneCall();
}, 60_000);

test('a unit that a worker returns to the queue has no ended lease', async () => {
  const replica = await start({ UNIT_LEASE_MS: '60000', UNIT_TIMEOUT_MS: '60000' });
  const { jobId } = await queueHeld(replica);
  await harness.query('update scan_units set lease_ended_at = clock_timestamp() where job_id = $1', [jobId]);
  await replica.stop();
  const read = 'select status, lease_ended_at from scan_units where job_id = $1';
  expect(await harness.query(read, [jobId])).toEqual([{ status: 'pending', lease_ended_at: null }]);
});
