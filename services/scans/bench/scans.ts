import { parseArgs } from 'node:util';
import { assertIdleMachine, growthText, median, watchMachine } from '@bv/measure';
import { freePort } from '@bv/testkit';
import { startChild, startDataStores, stopChildren, waitForDisk } from '@bv/testkit/bench';
import { type Harness, startScans } from '../test/harness.ts';
import { measureMemory } from './memory.ts';
import { type BenchService, type Cost, scan, startService } from './service.ts';

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
    /** A checkout whose service is measured in the same rounds. */
    against: { type: 'string', default: '' },
    /** Only measure the memory of one process with this number of slow answers at once. */
    memory: { type: 'string', default: '' },
    /** Print figures even if the machine is not idle. */
    force: { type: 'boolean', default: false },
  },
});
/** The units are divided among this many scans: units of one scan update the same row. */
const jobs = Number(options.jobs);
const units = Math.ceil(Number(options.units) / jobs) * jobs;
const rounds = Number(options.rounds);
const report = (line: string): boolean => process.stderr.write(`${line}\n`);

const toLine = ({ ms, cpuMs, postgresMs }: Cost): string =>
  `${((units * 1_000) / ms).toFixed(0)} units/s, ${(cpuMs / units).toFixed(2)} ms CPU each, ${(postgresMs / units).toFixed(2)} ms in Postgres`;

async function callBare(simulatorUrl: string): Promise<Cost> {
  const args = [`${simulatorUrl}/openai`, String(units), options.concurrency];
  const line = await startChild(new URL('bare-calls.ts', import.meta.url), { args });
  return { ...(JSON.parse(line) as Omit<Cost, 'postgresMs'>), postgresMs: 0 };
}

type Target = { name: string; run: () => Promise<Cost>; costs: Cost[] };

async function compare(simulatorUrl: string, services: Map<string, BenchService>): Promise<void> {
  const bare: Target = { name: 'bare calls', run: () => callBare(simulatorUrl), costs: [] };
  const scans: Target[] = [...services].map(([name, service]) => ({
    name,
    run: () => scan(service, { units, jobs }),
    costs: [],
  }));
  const stopWatching = watchMachine();
  for (let round = 0; round <= rounds; round += 1) {
    // Each target is as often before the others as after them.
    const targets = round % 2 === 0 ? [bare, ...scans] : [...scans.toReversed(), bare];
    for (const { name, run, costs } of targets) {
      const cost = await run();
      costs[round] = cost;
      report(
        `${round === 0 ? 'warm-up' : `round ${round} of ${rounds}`}, ${name}: ${options.force ? toLine(cost) : 'done'}`,
      );
    }
  }
  for (const { costs } of [bare, ...scans]) costs.shift();
  const [own, other] = services.values();
  // Two checkouts are compared by their rounds alone.
  const growth = own === undefined || other !== undefined ? null : await measureGrowth(own);
  assertIdleMachine(stopWatching(), options.force);
  process.stdout.write(
    `Median of ${rounds} rounds of ${units} units in ${jobs} ${jobs === 1 ? 'scan' : 'scans'}, concurrency ${options.concurrency}\n`,
  );
  for (const { name, costs } of [bare, ...scans])
    process.stdout.write(`  ${name}: ${toLine(toMedian(costs))}\n`);
  for (const { name, costs } of scans) process.stdout.write(`  ${name}: ${toRatios(costs, bare.costs)}\n`);
  if (growth === null) return;
  process.stdout.write(`  CPU per unit by units of a scan, ${growthText(growth)} (1 is flat)\n`);
}

const toMedian = (costs: readonly Cost[]): Cost => ({
  ms: median(costs.map(({ ms }) => ms)),
  cpuMs: median(costs.map(({ cpuMs }) => cpuMs)),
  postgresMs: median(costs.map(({ postgresMs }) => postgresMs)),
});

/** Each round is divided by the bare calls of the same round, because the machine's speed changes between rounds. */
function toRatios(costs: readonly Cost[], bare: readonly Cost[]): string {
  const ratios = (read: (cost: Cost) => number): number[] =>
    costs.map((cost, round) => read(cost) / read(bare[round] ?? cost));
  const rates = ratios(({ ms }) => 1 / ms);
  const cpu = ratios(({ cpuMs }) => cpuMs);
  const each = rates.map((rate) => rate.toFixed(2)).join(', ');
  return `${median(rates).toFixed(2)} of the bare rate (${each}) for ${median(cpu).toFixed(1)} times the CPU`;
}

/** Scans of growing size, in steps of ten. The smallest runs several times, because one run is too short to measure. */
async function measureGrowth(service: BenchService): Promise<{ size: number; cost: number }[]> {
  const points = [];
  for (const [size, times] of [
    [60 * jobs, 9],
    [600 * jobs, 3],
    [6_000 * jobs, 1],
  ] as const) {
    const costs: number[] = [];
    for (let time = 0; time < times; time += 1) {
      costs.push((await scan(service, { units: size, jobs })).cpuMs / size);
    }
    points.push({ size: size / jobs, cost: median(costs) });
    report(`scans of ${size} units in ${jobs} are done`);
  }
  return points;
}

const harnesses: Harness[] = [];

async function openHarness(): Promise<Harness> {
  const harness = await startScans();
  harnesses.push(harness);
  return harness;
}

async function run(): Promise<void> {
  const port = String(await freePort());
  await startChild(new URL('../../../tools/platform-simulator/src/main.ts', import.meta.url), {
    env: { SIMULATOR_PORT: port },
  });
  const simulatorUrl = `http://127.0.0.1:${port}`;
  const { concurrency, against, memory } = options;
  const harness = await openHarness();
  await waitForDisk(harness.database.adminUrl);
  const own = await startService(harness, { simulatorUrl, concurrency: memory || concurrency });
  if (memory !== '') {
    process.stdout.write(await measureMemory(own, { simulatorUrl, inFlight: Number(memory) }));
    return;
  }
  const services = new Map([['scan', own]]);
  if (against !== '') {
    const other = { simulatorUrl, concurrency, checkout: against };
    services.set(`scan of ${against}`, await startService(await openHarness(), other));
  }
  await compare(simulatorUrl, services);
}

try {
  await startDataStores();
  try {
    await run();
  } finally {
    await stopChildren({ keepDataStores: true });
    for (const harness of harnesses) await harness.stop();
  }
} finally {
  await stopChildren();
}
