import {
  forceOption,
  createSampler,
  growthText,
  measureRounds,
  median,
  medianRatio,
  otherLoadText,
  pairRounds,
  ratioText,
  readBenchOptions,
} from '@bv/measure';
import { freePort } from '@bv/testkit';
import { startChild, startDataStores, stopChildren, waitForDisk } from '@bv/testkit/bench';
import { type Harness, startScans } from '../test/harness.ts';
import { measureMemory } from './memory.ts';
import { type BenchService, type Cost, scan, startService } from './service.ts';

/**
 * Compares units per second and CPU per unit of one worker with the bare HTTP calls to the same simulator at the same
 * concurrency, each in a separate process. A figure is the median of the ratios of the rounds. The database syncs to disk as in production.
 */
const options = readBenchOptions('scans', {
  rounds: { default: '3', description: 'rounds that measure every target once' },
  units: { default: '1500', description: 'units of a sample' },
  jobs: {
    default: '1',
    description: 'scans that the units are divided among: units of one scan update the same row',
  },
  concurrency: { default: '40', description: 'calls in flight' },
  against: { default: '', description: 'another checkout whose service is measured in the same rounds' },
  memory: {
    default: '',
    description: 'measures only the memory of one process with this number of slow answers at once',
  },
  force: forceOption,
});
const jobs = Number(options.jobs);
const units = Math.ceil(Number(options.units) / jobs) * jobs;
const rounds = Number(options.rounds);
const report = (line: string): boolean => process.stderr.write(`${line}\n`);
const sampler = createSampler({ force: options.force, report });

const toLine = ({ ms, cpuMs, postgresMs }: Cost): string =>
  `${((units * 1_000) / ms).toFixed(0)} units/s, ${(cpuMs / units).toFixed(2)} ms CPU each, ${(postgresMs / units).toFixed(2)} ms in Postgres`;

async function callBare(simulatorUrl: string): Promise<Cost> {
  const args = [`${simulatorUrl}/openai`, String(units), options.concurrency];
  const line = await startChild(new URL('bare-calls.ts', import.meta.url), { args });
  return { ...(JSON.parse(line) as Omit<Cost, 'postgresMs'>), postgresMs: 0 };
}

async function compare(simulatorUrl: string, services: Map<string, BenchService>): Promise<void> {
  const bare = { name: 'bare calls', measure: () => callBare(simulatorUrl) };
  const [own, ...others] = [...services].map(([name, service]) => ({
    name,
    measure: () => scan(service, { units, jobs }),
  }));
  if (own === undefined) throw new Error('no service is started');
  // The bare calls are between two checkouts, so that each of them is next to its baseline.
  const targets = [own, bare, ...others];
  const samples = await measureRounds(targets, { rounds, sampler, report, describe: toLine });
  process.stdout.write(
    `Median of ${rounds} rounds of ${units} units in ${jobs} ${jobs === 1 ? 'scan' : 'scans'}, concurrency ${options.concurrency}; ${otherLoadText(sampler.summary())}\n`,
  );
  const baseline = samples[targets.indexOf(bare)] ?? [];
  for (const [index, target] of targets.entries()) {
    const costs = samples[index] ?? [];
    const ratios = target === bare ? '' : `; ${toRatios(costs, baseline)}`;
    process.stdout.write(`  ${target.name}: ${toLine(toMedian(costs))}${ratios}\n`);
  }
  const [service] = services.values();
  // Two checkouts are compared by their rounds alone.
  if (service === undefined || others.length > 0) return;
  const growth = await measureGrowth(service);
  process.stdout.write(`  CPU per unit by units of a scan, ${growthText(growth)} (1 is flat)\n`);
}

const toMedian = (costs: readonly Cost[]): Cost => ({
  ms: median(costs.map(({ ms }) => ms)),
  cpuMs: median(costs.map(({ cpuMs }) => cpuMs)),
  postgresMs: median(costs.map(({ postgresMs }) => postgresMs)),
});

function toRatios(costs: readonly Cost[], bare: readonly Cost[]): string {
  const rates = pairRounds(costs, bare, ({ ms }) => 1 / ms);
  const cpu = medianRatio(pairRounds(costs, bare, ({ cpuMs }) => cpuMs));
  return `${ratioText(rates)} of the bare rate for ${cpu.toFixed(1)} times the CPU`;
}

/** Scans of growing size, in steps of ten. The smallest runs several times, because one run is too short to measure. */
async function measureGrowth(service: BenchService): Promise<{ size: number; cost: number }[]> {
  const points = [];
  for (const [size, times] of [
    [60 * jobs, 9],
    [600 * jobs, 3],
    [6_000 * jobs, 1],
  ] as const) {
    const name = `scans of ${size} units in ${jobs}`;
    const costs: number[] = [];
    for (let time = 0; time < times; time += 1) {
      const { cpuMs } = await sampler.sample(name, () => scan(service, { units: size, jobs }));
      costs.push(cpuMs / size);
    }
    points.push({ size: size / jobs, cost: median(costs) });
    report(`${name} are done`);
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
