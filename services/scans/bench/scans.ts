import { parseArgs } from 'node:util';
import { createOperationClient, eventually, freePort } from '@bv/testkit';
import { growthText, median, assertIdleMachine, watchMachine } from '@bv/measure';
import { readMetric, startChild, startDataStores, stopChildren, waitForDisk } from '@bv/testkit/bench';
import { planData } from '../test/catalog-stub.ts';
import { type Harness, queueScan, scansEnvironment, startScans } from '../test/harness.ts';

/**
 * Compares units per second and CPU per unit of one worker with the bare HTTP calls to the same simulator at the same
 * concurrency. Rounds are interleaved, each target in a separate process. The database syncs to disk as in production.
 */
const { values: options } = parseArgs({
  options: {
    rounds: { type: 'string', default: '3' },
    units: { type: 'string', default: '1500' },
    jobs: { type: 'string', default: '1' },
    concurrency: { type: 'string', default: '40' },
    /** Print figures even if the machine is not idle. */
    force: { type: 'boolean', default: false },
  },
});
/** The units are divided among this many scans: units of one scan update the same row. */
const jobs = Number(options.jobs);
const units = Math.ceil(Number(options.units) / jobs) * jobs;
const rounds = Number(options.rounds);
const report = (line: string): boolean => process.stderr.write(`${line}\n`);
type Cost = { ms: number; cpuMs: number };

async function startService(harness: Harness, simulatorUrl: string) {
  const [port, monitoringPort] = [await freePort(), await freePort()];
  const env = harness.buildEnvironment({
    ...scansEnvironment(simulatorUrl),
    PORT: String(port),
    MONITORING_PORT: String(monitoringPort),
    LOG_LEVEL: 'info',
    CHECK_RESPONSES: 'false',
    WORKER_CONCURRENCY: options.concurrency,
    CHATGPT_CONCURRENCY: options.concurrency,
  });
  await startChild(new URL('../src/main.ts', import.meta.url), { env, line: /"msg":"ready"/ });
  const call = createOperationClient(`http://127.0.0.1:${port}`);
  return { call, monitoringUrl: `http://127.0.0.1:${monitoringPort}` };
}

type Service = Awaited<ReturnType<typeof startService>>;

const readCpuMs = async ({ monitoringUrl }: Service): Promise<number> =>
  (await readMetric(monitoringUrl, 'process_cpu_seconds_total')) * 1_000;

async function scan(harness: Harness, service: Service, count = units): Promise<Cost> {
  const plans = Array.from({ length: jobs }, () =>
    harness.registerPlan(planData({ prompts: count / jobs, platforms: ['chatgpt'] })),
  );
  const before = await readCpuMs(service);
  const ids = await Promise.all(plans.map((plan) => queueScan(service, plan)));
  const ms = await eventually(() => readDuration(harness, ids), { timeoutMs: 600_000, intervalMs: 100 });
  return { ms, cpuMs: (await readCpuMs(service)) - before };
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

const toLine = ({ ms, cpuMs }: Cost): string =>
  `${((units * 1_000) / ms).toFixed(0)} units/s, ${(cpuMs / units).toFixed(2)} ms CPU each`;

async function run(harness: Harness): Promise<void> {
  await waitForDisk(harness.database.adminUrl);
  const port = String(await freePort());
  await startChild(new URL('../../../tools/platform-simulator/src/main.ts', import.meta.url), {
    env: { SIMULATOR_PORT: port },
  });
  const simulatorUrl = `http://127.0.0.1:${port}`;
  const service = await startService(harness, simulatorUrl);
  const stopWatching = watchMachine();
  const costs: { scan: Cost[]; bare: Cost[] } = { scan: [], bare: [] };
  /** Printed after the check that the machine was idle. */
  const lines: string[] = [];
  for (let round = 0; round <= rounds; round += 1) {
    const args = [`${simulatorUrl}/openai`, String(units), options.concurrency];
    const bareCost = JSON.parse(
      await startChild(new URL('bare-calls.ts', import.meta.url), { args }),
    ) as Cost;
    const scanCost = await scan(harness, service);
    const name = round === 0 ? 'warm-up' : `round ${round} of ${rounds}`;
    report(`${name} is done`);
    if (round === 0) continue;
    lines.push(`  ${name}: bare calls ${toLine(bareCost)}; scan ${toLine(scanCost)}\n`);
    costs.scan.push(scanCost);
    costs.bare.push(bareCost);
  }
  const growth = await measureGrowth(harness, service);
  assertIdleMachine(stopWatching(), options.force);
  const toMedian = (all: readonly Cost[]): Cost => ({
    ms: median(all.map(({ ms }) => ms)),
    cpuMs: median(all.map(({ cpuMs }) => cpuMs)),
  });
  const [scanCost, bareCost] = [toMedian(costs.scan), toMedian(costs.bare)];
  process.stdout.write(lines.join(''));
  process.stdout.write(
    `Median of ${rounds} rounds of ${units} units in ${jobs} ${jobs === 1 ? 'scan' : 'scans'}, concurrency ${options.concurrency}\n  bare calls: ${toLine(bareCost)}\n  scan: ${toLine(scanCost)}\n  the scan has ${(bareCost.ms / scanCost.ms).toFixed(2)} of the bare rate for ${(scanCost.cpuMs / bareCost.cpuMs).toFixed(1)} times the CPU\n`,
  );
  process.stdout.write(`  CPU per unit by units of a scan, ${growthText(growth)} (1 is flat)\n`);
}

/** Scans of growing size, in steps of ten. The smallest runs several times, because one run is too short to measure. */
async function measureGrowth(harness: Harness, service: Service): Promise<{ size: number; cost: number }[]> {
  const points = [];
  for (const [size, times] of [
    [60 * jobs, 9],
    [600 * jobs, 3],
    [6_000 * jobs, 1],
  ] as const) {
    const costs: number[] = [];
    for (let time = 0; time < times; time += 1) {
      costs.push((await scan(harness, service, size)).cpuMs / size);
    }
    points.push({ size: size / jobs, cost: median(costs) });
    report(`scans of ${size} units in ${jobs} are done`);
  }
  return points;
}

try {
  await startDataStores();
  const harness = await startScans();
  try {
    await run(harness);
  } finally {
    await stopChildren({ keepDataStores: true });
    await harness.stop();
  }
} finally {
  await stopChildren();
}
