import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { samplesInPeace } from '@bv/measure';
import { startDataStores, stopChildren } from '@bv/testkit/bench';
import { checkContender } from './check-contender.ts';
import { openField, type Contender, type Field } from './contenders.ts';
import { goalLine, judgeEdge } from './judge-edge.ts';
import { measureOnce, medianSample, type Sample } from './measure-field.ts';
import { neededBytes } from './needed-memory.ts';
import { stopServers } from './processes.ts';
import { findPrograms, type Programs } from './programs.ts';
import {
  growthTable,
  halfLoadOf,
  tableOf,
  writePlots,
  type GrowthSamples,
  type Result,
} from './report-edge.ts';

/**
 * The gateway side by side with peers doing the same work to the same upstream, and with a bare proxy as the floor:
 * in one run, by turns, medians, and ratios alone.
 */
const { values: options } = parseArgs({
  options: {
    rounds: { type: 'string', default: '5' },
    seconds: { type: 'string', default: '4' },
    connections: { type: 'string', default: '64' },
    keys: { type: 'string', default: '100000' },
    /** Figures in spite of a machine that does other things too. */
    force: { type: 'boolean', default: false },
    /** Only contenders whose name has this, beside the floor and the gateway. */
    only: { type: 'string', default: '' },
    /** Another checkout of the same migrations and settings, with its packages installed: its gateway takes part too. */
    against: { type: 'string', default: '' },
    /** Writes the plots into that directory. */
    plots: { type: 'string', default: '' },
  },
});
const rounds = Number(options.rounds);
const measuredSeconds = Number(options.seconds);
const connections = Number(options.connections);
const keyCount = Number(options.keys);
const usualKeys = 100;
/**
 * Until V8 has compiled what is hot: the more code a contender has, the longer it takes. Half load is warmed up too:
 * what runs once a batch runs far more often there, and is compiled only then.
 */
const warmUpSeconds = { full: 30, half: 15 };
/**
 * Load that is not measured, at the beginning of each turn after the warm-up. While the others had theirs, V8 has given
 * back most of the young generation: it grows again among full collections, which only who was idle for a minute meets.
 */
const leadInSeconds = 2;
/**
 * Of what the gateway, whose turn is the first, has just done at its most. By its most of a round before, minutes away
 * on a machine whose speed varies by a fifth, it would be anything from two to three fifths of what it can do.
 */
const halfLoad = 0.5;

const say = (text: string): boolean => process.stderr.write(`${text}\n`);
/** Figures of single rounds, told when it is known that nothing disturbed them. */
const roundFigures: string[] = [];

/** Less is not seen in a sample of seconds: the kernel counts the machine's work by ticks, and a process's exactly. */
const peace = samplesInPeace({ othersMost: 0.05, againMost: 400, force: options.force, say });

/** A run with failed requests has no figures, whatever disturbed them; the warm-up may have some. */
function refuseFailures(name: string, { failed, requests }: Sample): void {
  if (failed === 0) return;
  const text = `${name}: ${failed} of ${requests} requests failed`;
  if (!options.force) throw new Error(`${text}: no figures (--force)`);
  say(text);
}

type Measuring = { programs: Programs; field: Field };
type Sampled = { full: Sample; half: Sample };
type Turn = {
  contender: Contender;
  seconds: { full: number; half: number };
  /** What it did in the round before. */
  before: Sampled | undefined;
  /** Of the gateway at its most, which is not known before its own turn. */
  gatewayRps: number | undefined;
};

/** Of a sample that others did not disturb. One in which requests failed ends the run, whoever disturbed it. */
function measureInPeace(
  measuring: Measuring,
  { contender, name }: { contender: Contender; name: string },
  load: Parameters<typeof measureOnce>[2],
): Promise<Sample> {
  return peace.sample(name, async () => {
    const sample = await measureOnce(measuring, contender, load);
    refuseFailures(name, sample);
    return sample;
  });
}

/** A contender at its most, and at the half load that all of a round have, so that what differs is what each adds. */
async function takeTurn(
  measuring: Measuring,
  { contender, seconds, before, gatewayRps }: Turn,
): Promise<Sampled> {
  const load = { keyFile: keyFileOf(contender, measuring.field), connections };
  const measure = (name: string, own: { seconds: number; delayMs?: number }): Promise<Sample> =>
    before === undefined
      ? measureOnce(measuring, contender, { ...load, ...own })
      : measureInPeace(measuring, { contender, name }, { ...load, ...own });
  if (before !== undefined) {
    refuseFailures(
      contender.name,
      await measureOnce(measuring, contender, { ...load, seconds: leadInSeconds }),
    );
  }
  const full = await measure(contender.name, { seconds: seconds.full });
  // A connection sends again when it has its answer and has waited.
  const cycleMs = (connections * 1_000) / ((gatewayRps ?? full.rps) * halfLoad);
  const delayMs = Math.max(1, cycleMs - (before?.half.p50Ms ?? 0));
  const half = await measure(`${contender.name} at half load`, { seconds: seconds.half, delayMs });
  return { full, half };
}

const keyFileOf = ({ present }: Contender, { keys }: Field): string =>
  keys.fileOf(Math.min(usualKeys, keyCount), present);

type Round = Map<Contender, Sampled>;

async function takeRound(measuring: Measuring, name: string, before: Round | undefined): Promise<Round> {
  const round: Round = new Map();
  const seconds = before === undefined ? warmUpSeconds : { full: measuredSeconds, half: measuredSeconds };
  const { gateway } = measuring.field;
  for (const contender of chosenOf(measuring.field)) {
    const gatewayRps = round.get(gateway)?.full.rps;
    round.set(
      contender,
      await takeTurn(measuring, { contender, seconds, before: before?.get(contender), gatewayRps }),
    );
    say(`${name}: ${contender.name} is measured`);
  }
  if (before !== undefined) roundFigures.push(...figuresOf(name, measuring.field, round));
  return round;
}

function figuresOf(name: string, { gateway, floor }: Field, round: Round): string[] {
  const mostOf = (contender: Contender): number => round.get(contender)?.full.rps ?? Number.NaN;
  const [floorMost, gatewayMost] = [mostOf(floor), mostOf(gateway)];
  return [...round].map(([contender, { full, half }]) => {
    const us = `${full.cpuUs.toFixed(0)} us CPU a request, ${full.allCpuUs.toFixed(0)} with stores`;
    const load = `${(half.rps / gatewayMost).toFixed(2)} of the gateway's most`;
    return `${name}: ${contender.name}: ${(full.rps / floorMost).toFixed(2)} of the floor, ${us}; p99 ${half.p99Ms.toFixed(1)} ms at ${load}`;
  });
}

/** The floor, the gateway, and who else is wanted. */
const chosenOf = ({ contenders }: Field): Contender[] =>
  contenders.filter(({ wanted, name }) => wanted === true || name.includes(options.only));

async function measureField(measuring: Measuring, warmUp: Round): Promise<Result[]> {
  const taken: Round[] = [];
  while (taken.length < rounds) {
    taken.push(await takeRound(measuring, `round ${taken.length + 1} of ${rounds}`, taken.at(-1) ?? warmUp));
  }
  return chosenOf(measuring.field).map((contender) => {
    const samples = taken.flatMap((round) => round.get(contender) ?? []);
    const of = (load: keyof Sampled): Sample => medianSample(samples.map((sampled) => sampled[load]));
    return { contender, full: of('full'), half: of('half') };
  });
}

/** The same load over more and more keys, every one of them used in each sample, and before it. */
async function measureGrowth(measuring: Measuring): Promise<GrowthSamples> {
  const sizes = [1, 10, 100, 1_000, 10_000, 100_000].filter((size) => size <= keyCount);
  const grown = sizes.map((keys) => ({ keys, samples: [] as Sample[], neededBytes: 0 }));
  for (let round = 0; round < Math.min(rounds, 3); round += 1) {
    for (const size of grown) {
      const slowest = Math.min(...grown.flatMap(({ samples }) => samples).map(({ rps }) => rps));
      size.samples.push(await measureSize(measuring, size.keys, slowest));
      // Of the first round, in which more keys were never in use before.
      if (round === 0) size.neededBytes = await neededBytes(measuring.field.gateway.servers[0]);
    }
    say(`growth, round ${round + 1}: done`);
  }
  return grown.map(({ samples, ...size }) => ({ ...size, sample: medianSample(samples) }));
}

async function measureSize(measuring: Measuring, size: number, slowestRps: number): Promise<Sample> {
  const { keys, gateway } = measuring.field;
  const name = `${gateway.name} with ${size} keys`;
  const load = { keyFile: keys.fileOf(size), connections, inTurn: true };
  // A key's first request of a month leases units, and so takes longer than those that are measured.
  const leadIn = Math.max(leadInSeconds, Math.ceil((size / slowestRps) * 3));
  refuseFailures(name, await measureOnce(measuring, gateway, { ...load, seconds: leadIn }));
  const seconds = Math.max(measuredSeconds, Math.ceil((size / slowestRps) * 2));
  const sample = await measureInPeace(measuring, { contender: gateway, name }, { ...load, seconds });
  if (sample.requests < size) throw new Error(`only ${sample.requests} of ${size} keys were used`);
  return sample;
}

async function run(dir: string): Promise<void> {
  const programs = findPrograms(say);
  if (options.plots !== '') mkdirSync(options.plots, { recursive: true });
  await startDataStores();
  say(`making ${keyCount} keys and starting everybody ...`);
  const field = await openField(programs, dir, { keyCount, only: options.only, against: options.against });
  try {
    const measuring = { programs, field };
    for (const contender of chosenOf(field)) await checkContender(contender, field);
    say(`${chosenOf(field).length} contenders answer right: served, 401, 429`);
    const warmUp = await takeRound(measuring, 'warm-up', undefined);
    const results = await measureField(measuring, warmUp);
    const growth = await measureGrowth(measuring);
    const { again, others } = peace.told();
    const lines = [...roundFigures, '', ...tableOf(results), '', ...growthTable(growth), ''];
    lines.push(
      `${rounds} rounds of ${measuredSeconds} s, ${connections} connections, ${usualKeys} keys in use of ${keyCount}; ${halfLoadOf(results, field.gateway)}; others had at most ${(others * 100).toFixed(0)} % of the work while a sample was taken, and ${again} samples were taken again.`,
    );
    const own = results.find(({ contender }) => contender === field.gateway);
    const goals = own === undefined ? [] : judgeEdge(own, results, growth);
    process.stdout.write(`${[...lines, '', ...goals.map(goalLine)].join('\n')}\n`);
    if (options.plots !== '') writePlots(options.plots, results, growth);
    // The figures stand; what was asked for is not there.
    if (goals.some(({ met }) => !met)) process.exitCode = 1;
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
