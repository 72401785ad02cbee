import { cpuMsByName } from '@bv/measure';
import { createOperationClient, eventually, freePort } from '@bv/testkit';
import { readMetric, startChild } from '@bv/testkit/bench';
import { planData } from '../test/catalog-stub.ts';
import { type Harness, queueScan, scansEnvironment } from '../test/harness.ts';

/** Elapsed time, CPU time of the process, and CPU time of Postgres. */
export type Cost = { ms: number; cpuMs: number; postgresMs: number };

export type BenchService = Awaited<ReturnType<typeof startService>>;

export async function startService(
  harness: Harness,
  { simulatorUrl, concurrency }: { simulatorUrl: string; concurrency: string },
) {
  const [port, monitoringPort] = [await freePort(), await freePort()];
  const env = harness.buildEnvironment({
    ...scansEnvironment(simulatorUrl),
    PORT: String(port),
    MONITORING_PORT: String(monitoringPort),
    LOG_LEVEL: 'info',
    CHECK_RESPONSES: 'false',
    UNIT_TIMEOUT_MS: '120000',
    WORKER_CONCURRENCY: concurrency,
    CHATGPT_CONCURRENCY: concurrency,
  });
  await startChild(new URL('../src/main.ts', import.meta.url), { env, line: /"msg":"ready"/ });
  return {
    harness,
    call: createOperationClient(`http://127.0.0.1:${port}`),
    monitoringUrl: `http://127.0.0.1:${monitoringPort}`,
  };
}

const readCpu = async ({ monitoringUrl }: BenchService): Promise<Omit<Cost, 'ms'>> => ({
  cpuMs: (await readMetric(monitoringUrl, 'process_cpu_seconds_total')) * 1_000,
  postgresMs: cpuMsByName(process.pid).get('postgres') ?? 0,
});

/** Runs `units` units in `jobs` scans to their end. */
export async function scan(
  service: BenchService,
  { units, jobs }: { units: number; jobs: number },
): Promise<Cost> {
  const { harness } = service;
  const plans = Array.from({ length: jobs }, () =>
    harness.registerPlan(planData({ prompts: units / jobs, platforms: ['chatgpt'] })),
  );
  const before = await readCpu(service);
  const ids = await Promise.all(plans.map((plan) => queueScan(service, plan)));
  const ms = await eventually(() => readDuration(harness, ids), { timeoutMs: 600_000, intervalMs: 100 });
  const after = await readCpu(service);
  return { ms, cpuMs: after.cpuMs - before.cpuMs, postgresMs: after.postgresMs - before.postgresMs };
}

async function readDuration(harness: Harness, jobIds: string[]): Promise<number> {
  const [ended] = await harness.query<{ completed: number; ms: number }>(
    `select count(*) filter (where status = 'completed')::int as completed,
       extract(epoch from max(completed_at) - min(started_at))::float8 * 1000 as ms
     from scan_jobs where id = any($1::uuid[])`,
    [jobIds],
  );
  if (ended?.completed !== jobIds.length) throw new Error('not every scan is completed');
  return ended.ms;
}
