import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { jobChanged, unitFinalised } from '@bv/events';
import { eventually } from '@bv/testkit';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import {
  environmentOf,
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

function startWorker(): ChildProcess {
  const env = environmentOf(harness.stores, {
    PATH: process.env['PATH'] ?? '',
    LOG_LEVEL: 'error',
    UNIT_MAX_ATTEMPTS: '10',
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

test('workers killed with -9 during a scan of 500 units: it ends, and every unit has one row and one event', async () => {
  for (const platform of ['chatgpt', 'claude', 'gemini', 'perplexity', 'ai_overviews']) {
    const trouble = { platform, kind: 'slow', delayMs: 120 };
    const url = `${harness.stores.simulator.url}/control/trouble`;
    await fetch(url, { method: 'PUT', body: JSON.stringify(trouble) });
  }
  const plan = harness.know(planData({ prompts: 50, countries: ['US', 'DE'] }));
  const { body } = await requestScan(api.base, plan);
  const jobId: string = body.data.job_id;
  const done = async (): Promise<number> => {
    const { units } = (await getScan(api.base, plan, jobId)).body.data;
    return units.answered + units.no_answer + units.failed;
  };
  for (const goal of [40, 150, 280]) {
    const worker = startWorker();
    await eventually(async () => expect(await done()).toBeGreaterThan(goal), {
      timeoutMs: 40_000,
      intervalMs: 5,
    });
    await kill(worker);
  }
  expect(await done()).toBeLessThan(500);
  const [held] = await harness.query<{ count: string }>(
    `select count(*) from scan_units where status = 'running'`,
  );
  startWorker();
  await eventually(
    async () => expect((await getScan(api.base, plan, jobId)).body.data.completed_at).not.toBeNull(),
    { timeoutMs: 60_000 },
  );
  const job = (await getScan(api.base, plan, jobId)).body.data;
  expect(job).toMatchObject({ status: 'completed', units: { total: 500, failed: 0 } });
  expect(job.units.answered + job.units.no_answer).toBe(500);
  const units = (await harness.published('scans.unit.finalised.v1')) as Events<typeof unitFinalised>;
  expect(units).toHaveLength(500);
  expect(new Set(units.map(({ data }) => data.unit_id)).size).toBe(500);
  const rows = await harness.query<{ status: string; attempts: number }>(
    'select status, attempts from scan_units',
  );
  expect(rows).toHaveLength(500);
  expect(rows.every(({ status }) => status === 'answered' || status === 'no_answer')).toBe(true);
  // The kills did hit work: what they left was done again by others.
  expect(Number(held?.count)).toBeGreaterThan(0);
  expect(rows.filter(({ attempts }) => attempts > 1).length).toBeGreaterThan(0);
  const states = (await harness.published('scans.job.changed.v1', jobId)) as Events<typeof jobChanged>;
  expect(states.map(({ data }) => data.status)).toEqual(['queued', 'running', 'completed']);
}, 180_000);
