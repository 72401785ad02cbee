import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { forceOption, createSampler, otherLoadText, readBenchOptions } from '@bv/measure';
import { startDataStores, stopChildren } from '@bv/testkit/bench';
import { checkTarget } from './check-target.ts';
import { openField, type Target, type Field } from './targets.ts';
import { checkGrowth, checkShares, objectiveLine, type Objective } from './check-objectives.ts';
import { measureOnce, type Sample } from './measure-target.ts';
import { stopServers } from './processes.ts';
import { findPrograms, type Programs } from './programs.ts';
import {
  growthTable,
  halfLoadText,
  resultTable,
  type GrowthSamples,
  type Result,
  type Sampled,
} from './report-edge.ts';

/**
 * Compares the gateway with peers that do the same work for the same upstream, and with a bare proxy as the baseline.
 * One run interleaves all targets and prints medians of the ratios of its rounds. Each part is printed when all its
 * samples are accepted, so that a later failure does not lose it.
 */
const options = readBenchOptions('edge', {
  rounds: { default: '5', description: 'rounds that measure every target once' },
  seconds: { default: '4', description: 'duration of a sample' },
  connections: { default: '64', description: 'connections of the load generator' },
  keys: { default: '100000', description: 'API keys that exist' },
  only: {
    default: '',
    description: 'only targets whose name contains this, in addition to the baseline and the gateway',
  },
  force: forceOption,
});
const rounds = Number(options.rounds);
const measuredSeconds = Number(options.seconds);
const connections = Number(options.connections);
const keyCount = Number(options.keys);
const usualKeys = 100;
/**
 * Time for V8 to compile hot code; the more code, the longer. Half load has smaller batches, so it runs the code of a
 * batch more often and needs its own warm-up.
 */
const warmUpSeconds = { full: 30, half: 15 };
/**
 * Unmeasured load before each sample. V8 shrinks the young generation of an idle process, and grows it again during the
 * first seconds of load.
 */
const leadInSeconds = 2;
/**
 * Share of the gateway's throughput in the same round. The speed of the machine varies by a fifth within minutes, so the
 * throughput of an earlier round would be wrong.
 */
const halfLoad = 0.5;

const report = (text: string): boolean => process.stderr.write(`${text}\n`);
const print = (lines: readonly string[]): boolean => process.stdout.write(`${lines.join('\n')}\n`);

const sampler = createSampler({ force: options.force, report });

/** Throws when requests failed, because the figures would be wrong. The warm-up may have failures. */
function checkNoFailures(name: string, { failed, requests }: Sample): void {
  if (failed === 0) return;
  const text = `${name}: ${failed} of ${requests} requests failed`;
  if (!options.force) throw new Error(`${text}: no figures (--force)`);
  report(text);
}

type Measuring = { programs: Programs; field: Field };
type SampleRun = {
  target: Target;
  seconds: { full: number; half: number };
  /** Its samples of the previous round. */
  before: Sampled | undefined;
  /** The gateway's throughput at full load; undefined before its own sample. */
  gatewayRps: number | undefined;
};

/** Repeats a disturbed sample. A failed request ends the run. */
function measureSample(
  measuring: Measuring,
  { target, name }: { target: Target; name: string },
  load: Parameters<typeof measureOnce>[2],
): Promise<Sample> {
  return sampler.sample(name, async () => {
    const sample = await measureOnce(measuring, target, load);
    checkNoFailures(name, sample);
    return sample;
  });
}

/** A target at full load, and at the half load that all targets of the round share. */
async function runSample(
  measuring: Measuring,
  { target, seconds, before, gatewayRps }: SampleRun,
): Promise<Sampled> {
  const load = { keyFile: keyFileFor(measuring.field), connections };
  const measure = (name: string, own: { seconds: number; delayMs?: number }): Promise<Sample> =>
    before === undefined
      ? measureOnce(measuring, target, { ...load, ...own })
      : measureSample(measuring, { target, name }, { ...load, ...own });
  if (before !== undefined) {
    checkNoFailures(target.name, await measureOnce(measuring, target, { ...load, seconds: leadInSeconds }));
  }
  const full = await measure(target.name, { seconds: seconds.full });
  // A connection sends again after its response and the delay.
  const cycleMs = (connections * 1_000) / ((gatewayRps ?? full.rps) * halfLoad);
  const delayMs = Math.max(1, cycleMs - (before?.half.p50Ms ?? 0));
  const half = await measure(`${target.name} at half load`, { seconds: seconds.half, delayMs });
  return { full, half };
}

const keyFileFor = ({ keys }: Field): string => keys.fileOf(Math.min(usualKeys, keyCount));

type Round = Map<Target, Sampled>;

/** Measures each target once. The half load is that of the gateway, which is first. */
async function runRound(measuring: Measuring, name: string, before?: Round): Promise<Round> {
  const round: Round = new Map();
  const seconds = before === undefined ? warmUpSeconds : { full: measuredSeconds, half: measuredSeconds };
  for (const target of selectedTargets(measuring.field)) {
    const [gateway] = round.values();
    const options = { target, seconds, before: before?.get(target), gatewayRps: gateway?.full.rps };
    round.set(target, await runSample(measuring, options));
    report(`${name}: ${target.name} is measured`);
  }
  if (before !== undefined) print(roundFigureLines(name, measuring.field, round));
  return round;
}

function roundFigureLines(name: string, { gateway, baseline }: Field, round: Round): string[] {
  const maxOf = (target: Target): number => round.get(target)?.full.rps ?? Number.NaN;
  const [baselineMax, gatewayMax] = [maxOf(baseline), maxOf(gateway)];
  return [...round].map(([target, { full, half }]) => {
    const us = `${full.cpuUs.toFixed(0)} us CPU a request, ${full.allCpuUs.toFixed(0)} with stores`;
    const load = `${(half.rps / gatewayMax).toFixed(2)} of the gateway's throughput`;
    return `${name}: ${target.name}: ${(full.rps / baselineMax).toFixed(2)} of the baseline, ${us}; p99 ${half.p99Ms.toFixed(1)} ms at ${load}`;
  });
}

/** The baseline, the gateway, and who else is wanted. */
const selectedTargets = ({ targets }: Field): Target[] =>
  targets.filter(({ wanted, name }) => wanted === true || name.includes(options.only));

async function measureTargets(measuring: Measuring, warmUp: Round): Promise<Result[]> {
  const taken: Round[] = [];
  while (taken.length < rounds) {
    const before = taken.at(-1) ?? warmUp;
    taken.push(await runRound(measuring, `round ${taken.length + 1} of ${rounds}`, before));
  }
  return selectedTargets(measuring.field).map((target) => ({
    target,
    rounds: taken.flatMap((round) => round.get(target) ?? []),
  }));
}

/** The same load with more and more keys; every key is used before and in each sample. */
async function measureGrowth(measuring: Measuring): Promise<GrowthSamples> {
  const sizes = [1, 10, 100, 1_000, 10_000, 100_000].filter((size) => size <= keyCount);
  const grown = sizes.map((keys) => ({ keys, samples: [] as Sample[] }));
  for (let round = 0; round < Math.min(rounds, 3); round += 1) {
    for (const size of grown) {
      const slowest = Math.min(...grown.flatMap(({ samples }) => samples).map(({ rps }) => rps));
      size.samples.push(await measureSize(measuring, size.keys, slowest));
    }
    report(`growth, round ${round + 1}: done`);
  }
  return grown;
}

async function measureSize(measuring: Measuring, size: number, slowestRps: number): Promise<Sample> {
  const { keys, gateway } = measuring.field;
  const name = `${gateway.name} with ${size} keys`;
  const load = { keyFile: keys.fileOf(size), connections, inTurn: true };
  // A key's first request of a month leases units, which takes longer.
  const leadIn = Math.max(leadInSeconds, Math.ceil((size / slowestRps) * 3));
  checkNoFailures(name, await measureOnce(measuring, gateway, { ...load, seconds: leadIn }));
  const seconds = Math.max(measuredSeconds, Math.ceil((size / slowestRps) * 2));
  const sample = await measureSample(measuring, { target: gateway, name }, { ...load, seconds });
  if (sample.requests < size) throw new Error(`only ${sample.requests} of ${size} keys were used`);
  return sample;
}

function printResults(results: readonly Result[], { gateway }: Field): void {
  print([
    '',
    ...resultTable(results),
    '',
    `${rounds} rounds of ${measuredSeconds} s, ${connections} connections, ${usualKeys} keys in use of ${keyCount}; ${halfLoadText(results, gateway)}.`,
    '',
  ]);
  const own = results.find(({ target }) => target === gateway);
  if (own !== undefined) printObjectives(checkShares(own, results));
}

/** The figures are valid if an objective is missed, but the run fails. */
function printObjectives(objectives: readonly Objective[]): void {
  print(objectives.map(objectiveLine));
  if (objectives.some(({ met }) => !met)) process.exitCode = 1;
}

async function run(dir: string): Promise<void> {
  const programs = findPrograms(report);
  await startDataStores();
  report(`creating ${keyCount} keys and starting all targets ...`);
  const field = await openField(programs, dir, keyCount);
  try {
    const measuring = { programs, field };
    for (const target of selectedTargets(field)) await checkTarget(target, field);
    report(`${selectedTargets(field).length} targets respond as required: 200, 401, 429`);
    const warmUp = await runRound(measuring, 'warm-up');
    const results = await measureTargets(measuring, warmUp);
    printResults(results, field);
    const growth = await measureGrowth(measuring);
    print(['', ...growthTable(growth), '', `${otherLoadText(sampler.summary())}.`, '']);
    printObjectives(checkGrowth(growth));
  } finally {
    await stopServers();
    await field.close();
  }
}

const dir = mkdtempSync(join(tmpdir(), 'bv-edge-'));
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.on(signal, () => {
    void stopServers()
      .then(() => stopChildren())
      .then(() => process.exit(130));
  });
}
try {
  await run(dir);
} finally {
  await stopServers();
  await stopChildren();
  rmSync(dir, { recursive: true, force: true });
}
