import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { jobChanged, unitFinalised } from '@bv/events';
import { eventually, freePort } from '@bv/testkit';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import {
  buildEnvironment,
  type Events,
  getScan,
  type Harness,
  planData,
  requestScan,
  startReplica,
  startScans,
} from './harness.ts';

const main = fileURLToPath(new URL('../src/main.ts', import.meta.url));

let harness: Harness;
let api: Awaited<ReturnType<typeof startReplica>>;
const workers = new Set<ChildProcess>();

beforeAll(async () => {
  harness = await startScans();
  api = await startReplica(harness.stores, { env: { WORKER_CONCURRENCY: '0' } });
});

afterAll(async () => {
  await Promise.all([...workers].map(kill));
  await api.stop();
  await harness.stop();
});

function startWorker(overrides: Record<string, string> = {}): ChildProcess {
  const env = buildEnvironment(harness.stores, {
    PATH: process.env['PATH'] ?? '',
    LOG_LEVEL: 'error',
    UNIT_MAX_ATTEMPTS: '10',
    UNIT_LEASE_MS: '2000',
    ...overrides,
  });
  const worker = spawn(process.execPath, ['--conditions=@bv/source', main], { env, stdio: 'inherit' });
  workers.add(worker);
  worker.once('exit', () => workers.delete(worker));
  return worker;
}

async function kill(worker: ChildProcess): Promise<void> {
  const exited = once(worker, 'exit');
  worker.kill('SIGKILL');
  await exited;
}

async function slowDown(delayMs: number): Promise<void> {
  for (const platform of ['chatgpt', 'claude', 'gemini', 'perplexity', 'ai_overviews']) {
    const url = `${harness.stores.simulator.url}/control/trouble`;
    await fetch(url, { method: 'PUT', body: JSON.stringify({ platform, kind: 'slow', delayMs }) });
  }
}

/** The worker's count of answers that it discarded because the lease was lost. */
async function readLostLeases(monitoringPort: number): Promise<number> {
  const metrics = await (await fetch(`http://127.0.0.1:${monitoringPort}/metrics`)).text();
  const counts = metrics.matchAll(/^bv_scans_leases_lost_total\{[^}]*\} (\d+)$/gm);
  return Array.from(counts, ([, count]) => Number(count)).reduce((sum, count) => sum + count, 0);
}

async function findUnits(jobId: string) {
  return harness.query<{ status: string; attempts: number }>(
    'select status, attempts from scan_units where job_id = $1',
    [jobId],
  );
}

test('a worker that resumes after its leases expired writes nothing: another one finalised each unit once', async () => {
  await slowDown(10_000);
  const plan = harness.registerPlan(planData({ prompts: 8 }));
  const jobId: string = (await requestScan(api.base, plan)).body.data.job_id;
  const port = await freePort();
  // The deadline is after the pause, so that the answers are valid when the worker resumes.
  const stopped = startWorker({
    MONITORING_PORT: String(port),
    UNIT_TIMEOUT_MS: '170000',
    UNIT_LEASE_MS: '5000',
  });
  await eventually(
    async () => expect((await findUnits(jobId)).every(({ status }) => status === 'running')).toBe(true),
    { timeoutMs: 30_000, intervalMs: 20 },
  );
  stopped.kill('SIGSTOP');
  await slowDown(100);
  const other = startWorker();
  await eventually(
    async () => expect((await getScan(api.base, plan, jobId)).body.data.completed_at).not.toBeNull(),
    { timeoutMs: 60_000 },
  );
  const job = (await getScan(api.base, plan, jobId)).body.data;
  stopped.kill('SIGCONT');
  await eventually(async () => expect(await readLostLeases(port)).toBe(40), { timeoutMs: 30_000 });
  expect((await getScan(api.base, plan, jobId)).body.data).toEqual(job);
  expect(job).toMatchObject({ status: 'completed', units: { total: 40, failed: 0 } });
  expect((await findUnits(jobId)).every(({ attempts }) => attempts > 1)).toBe(true);
  const events = (await harness.published('scans.unit.finalised.v1')) as Events<typeof unitFinalised>;
  expect(events.filter(({ data }) => data.job_id === jobId)).toHaveLength(40);
  await Promise.all([kill(stopped), kill(other)]);
}, 180_000);

test('workers killed with -9 during a scan of 500 units: it ends with one row and one event for each unit', async () => {
  await slowDown(120);
  const plan = harness.registerPlan(planData({ prompts: 50, countries: ['US', 'DE'] }));
  const { body } = await requestScan(api.base, plan);
  const jobId: string = body.data.job_id;
  const countDone = async (): Promise<number> => {
    const { units } = (await getScan(api.base, plan, jobId)).body.data;
    return units.answered + units.no_answer + units.failed;
  };
  for (const goal of [40, 150, 280]) {
    const worker = startWorker();
    await eventually(async () => expect(await countDone()).toBeGreaterThan(goal), {
      timeoutMs: 150_000,
      intervalMs: 5,
    });
    await kill(worker);
  }
  expect(await countDone()).toBeLessThan(500);
  const [leased] = await harness.query<{ count: string }>(
    `select count(*) from scan_units where status = 'running'`,
  );
  startWorker();
  await eventually(
    async () => expect((await getScan(api.base, plan, jobId)).body.data.completed_at).not.toBeNull(),
    { timeoutMs: 150_000 },
  );
  const job = (await getScan(api.base, plan, jobId)).body.data;
  expect(job).toMatchObject({ status: 'completed', units: { total: 500, failed: 0 } });
  expect(job.units.answered + job.units.no_answer).toBe(500);
  const events = (await harness.published('scans.unit.finalised.v1')) as Events<typeof unitFinalised>;
  const units = events.filter(({ data }) => data.job_id === jobId);
  expect(units).toHaveLength(500);
  expect(new Set(units.map(({ data }) => data.unit_id)).size).toBe(500);
  const rows = await findUnits(jobId);
  expect(rows).toHaveLength(500);
  expect(rows.every(({ status }) => status === 'answered' || status === 'no_answer')).toBe(true);
  // The killed workers held units, which other workers ran again.
  expect(Number(leased?.count)).toBeGreaterThan(0);
  expect(rows.filter(({ attempts }) => attempts > 1).length).toBeGreaterThan(0);
  const states = (await harness.published('scans.job.changed.v1', jobId)) as Events<typeof jobChanged>;
  expect(states.map(({ data }) => data.status)).toEqual(['queued', 'running', 'completed']);
}, 620_000);
