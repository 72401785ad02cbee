import {
  forceOption,
  createSampler,
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
import { startScans } from '../test/harness.ts';
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

async function compare(simulatorUrl: string, service: BenchService): Promise<void> {
  const targets = [
    { name: 'scan', measure: () => scan(service, { units, jobs }) },
    { name: 'bare calls', measure: () => callBare(simulatorUrl) },
  ];
  const [own = [], bare = []] = await measureRounds(targets, { rounds, sampler, report, describe: toLine });
  process.stdout.write(
    `Median of ${rounds} rounds of ${units} units in ${jobs} ${jobs === 1 ? 'scan' : 'scans'}, concurrency ${options.concurrency}; ${otherLoadText(sampler.summary())}
  scan: ${toLine(toMedian(own))}; ${toRatios(own, bare)}
  bare calls: ${toLine(toMedian(bare))}\n`,
  );
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

async function run(): Promise<void> {
  const port = String(await freePort());
  await startChild(new URL('../../../tools/platform-simulator/src/main.ts', import.meta.url), {
    env: { SIMULATOR_PORT: port },
  });
  const simulatorUrl = `http://127.0.0.1:${port}`;
  const harness = await startScans();
  try {
    await waitForDisk(harness.database.adminUrl);
    const { concurrency } = options;
    await compare(simulatorUrl, await startService(harness, { simulatorUrl, concurrency }));
  } finally {
    await stopChildren({ keepDataStores: true });
    await harness.stop();
  }
}

try {
  await startDataStores();
  await run();
} finally {
  await stopChildren();
}
