import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { PlatformId } from '@bv/contract';
import { jobChanged, unitFinalised } from '@bv/events';
import { childEnvironment, eventually, freePort, waitUntilLocked } from '@bv/testkit';
import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import { planData } from './catalog-stub.ts';
import {
  awaitJob,
  getScan,
  type Harness,
  queueScan,
  type Replica,
  simulate,
  startScans,
  sumMetric,
} from './harness.ts';
import { lockJob } from './replicas.ts';

const main = fileURLToPath(new URL('../src/main.ts', import.meta.url));

let harness: Harness;
let api: Replica;
const workers = new Set<ChildProcess>();
const settings = { UNIT_MAX_ATTEMPTS: '10', UNIT_LEASE_MS: '2000' };
let survivor: Replica | undefined;

beforeAll(async () => {
  harness = await startScans();
  api = await harness.startReplica({ env: { WORKER_CONCURRENCY: '0' } });
});

afterEach(async () => {
  await Promise.all([...workers].map(kill));
  await survivor?.stop();
});

afterAll(async () => {
  await api.stop();
  await harness.stop();
});

function startWorker(overrides: Record<string, string> = {}): ChildProcess {
  const env = harness.buildEnvironment({
    ...childEnvironment(),
    LOG_LEVEL: 'error',
    ...settings,
    ...overrides,
  });
  const worker = spawn(process.execPath, ['--conditions=@bv/source', main], { env, stdio: 'inherit' });
  workers.add(worker);
  worker.once('exit', () => workers.delete(worker));
  return worker;
}

/** Starts a worker in this process, which completes what the killed ones have begun. */
async function startSurvivor(): Promise<void> {
  survivor = await harness.startReplica({ env: settings });
}

async function kill(worker: ChildProcess): Promise<void> {
  const exited = once(worker, 'exit');
  worker.kill('SIGKILL');
  await exited;
}

async function findUnits(jobId: string) {
  return harness.query<{ status: string; attempts: number }>(
    'select status, attempts from scan_units where job_id = $1',
    [jobId],
  );
}

test('a worker that resumes after its leases expired writes nothing: another one finalised each unit once', async () => {
  const { simulator } = harness;
  simulate(simulator, { kind: 'hold' });
  // Their answers are one response each.
  const platforms: PlatformId[] = ['chatgpt', 'gemini', 'perplexity'];
  const plan = harness.registerPlan(planData({ prompts: 8, platforms }));
  const jobId = await queueScan(api, plan);
  const port = await freePort();
  // With 24 units in flight it leases nothing more, so it holds no lock when it is stopped. No deadline passes.
  const stopped = startWorker({
    MONITORING_PORT: String(port),
    WORKER_CONCURRENCY: '24',
    UNIT_TIMEOUT_MS: '170000',
    UNIT_LEASE_MS: '180000',
  });
  await eventually(() => expect(simulator.state.held).toBe(24), { timeoutMs: 60_000 });
  stopped.kill('SIGSTOP');
  await harness.query('update scan_units set next_attempt_at = clock_timestamp() where job_id = $1', [jobId]);
  // The worker has the answers when it resumes.
  simulate(simulator, { kind: null });
  await startSurvivor();
  const job = await awaitJob(api, plan, jobId, 60_000);
  stopped.kill('SIGCONT');
  await eventually(async () =>
    expect(await sumMetric(`http://127.0.0.1:${port}`, 'bv_scans_leases_lost_total')).toBe(24),
  );
  expect((await getScan(api, plan, jobId)).data).toEqual(job);
  expect(job).toMatchObject({ status: 'completed', units: { total: 24, failed: 0 } });
  expect((await findUnits(jobId)).every(({ attempts }) => attempts > 1)).toBe(true);
  const events = await harness.listPublished(unitFinalised);
  expect(events.filter(({ data }) => data.job_id === jobId)).toHaveLength(24);
}, 180_000);

test('workers killed with -9 during a scan of 300 units: it ends with one row and one event for each unit', async () => {
  const { simulator } = harness;
  const plan = harness.registerPlan(planData({ prompts: 30, countries: ['US', 'DE'] }));
  const jobId = await queueScan(api, plan);
  const countDone = async (): Promise<number> => {
    const { units } = (await getScan(api, plan, jobId)).data;
    return units.answered + units.no_answer + units.failed;
  };
  const holding: PlatformId[] = ['chatgpt', 'claude'];
  for (let kills = 0; kills < 3; kills += 1) {
    // Two platforms hold the units that the worker loses, the others keep it busy.
    simulate(simulator, { kind: 'slow', delayMs: 120 });
    simulate(simulator, { kind: 'hold', after: 4 }, holding);
    const worker = startWorker();
    await eventually(() => expect(simulator.state.held).toBeGreaterThanOrEqual(16), {
      timeoutMs: 60_000,
      intervalMs: 5,
    });
    await kill(worker);
  }
  const done = await countDone();
  expect(done).toBeGreaterThan(0);
  expect(done).toBeLessThan(300);
  const [leased] = await harness.query<{ count: number }>(
    `select count(*)::int as count from scan_units where status = 'running'`,
  );
  simulate(simulator, { kind: null });
  await startSurvivor();
  const job = await awaitJob(api, plan, jobId, 150_000);
  expect(job).toMatchObject({ status: 'completed', units: { total: 300, failed: 0 } });
  expect(job.units.answered + job.units.no_answer).toBe(300);
  const events = await harness.listPublished(unitFinalised);
  const units = events.filter(({ data }) => data.job_id === jobId);
  expect(units).toHaveLength(300);
  expect(new Set(units.map(({ data }) => data.unit_id)).size).toBe(300);
  const rows = await findUnits(jobId);
  expect(rows).toHaveLength(300);
  expect(rows.every(({ status }) => status === 'answered' || status === 'no_answer')).toBe(true);
  // The killed workers held units, which other workers ran again.
  expect(leased?.count).toBeGreaterThanOrEqual(16);
  expect(rows.filter(({ attempts }) => attempts > 1).length).toBeGreaterThanOrEqual(16);
  const states = await harness.listPublished(jobChanged, jobId);
  expect(states.map(({ data }) => data.status)).toEqual(['queued', 'running', 'completed']);
}, 620_000);

test.each(['unit.answered', 'unit.ended', 'unit.committed'])(
  'a worker that crashes at %s while answers wait for one transaction: each unit is finalised once',
  async (point) => {
    const { simulator } = harness;
    const platforms: PlatformId[] = ['chatgpt', 'gemini', 'perplexity'];
    const plan = harness.registerPlan(planData({ prompts: 8, platforms }));
    simulate(simulator, { kind: 'hold' }, platforms);
    const jobId = await queueScan(api, plan);
    const env = { WORKER_CONCURRENCY: '24', UNIT_LEASE_MS: '180000', UNIT_TIMEOUT_MS: '170000' };
    const worker = startWorker({ ...env, NODE_ENV: 'test', CRASH_AT: point });
    const exited = once(worker, 'exit');
    await eventually(() => expect(simulator.state.held).toBe(24), { timeoutMs: 60_000 });
    // It may take over units 5 s after its start.
    await startSurvivor();
    // The first transaction waits for the job, so that the next one has several answers.
    await using job = await lockJob(harness, jobId);
    simulate(simulator, { kind: null }, platforms);
    if (point !== 'unit.answered') await waitUntilLocked(harness.sql, 'update scan_jobs', 2);
    await job.release();
    expect(await exited).toEqual([null, 'SIGKILL']);
    const stored = (await findUnits(jobId)).filter(({ status }) => status !== 'running').length;
    const committed = (await harness.listPublished(unitFinalised)).filter(
      ({ data }) => data.job_id === jobId,
    );
    expect(committed).toHaveLength(stored);
    if (point === 'unit.committed') expect(stored).toBeGreaterThan(0);
    else expect(stored).toBe(0);
    // As after the lease and the period of grace.
    await harness.query(
      `update scan_units set next_attempt_at = clock_timestamp(), lease_ended_at = clock_timestamp()
        where job_id = $1 and status = 'running'`,
      [jobId],
    );
    expect(await awaitJob(api, plan, jobId, 60_000)).toMatchObject({
      status: 'completed',
      units: { total: 24, failed: 0 },
    });
    const events = (await harness.listPublished(unitFinalised)).filter(({ data }) => data.job_id === jobId);
    expect(new Set(events.map(({ data }) => data.unit_id)).size).toBe(24);
    expect(events).toHaveLength(24);
  },
  180_000,
);
