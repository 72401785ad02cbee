import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { requireQuiet, watchMachine } from '@bv/measure';
import { startDataStores, stopChildren } from '@bv/testkit/bench';
import { checkContender } from './check-contender.ts';
import { openField, type Contender, type Field } from './contenders.ts';
import { measureOnce, medianSample, type Sample } from './measure-field.ts';
import { stopServers } from './processes.ts';
import { findPrograms, type Programs } from './programs.ts';
import { growthTable, plotOf, tableOf, type Growth, type Result } from './report-edge.ts';

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
    /** Only contenders whose name has this, beside the floor. */
    only: { type: 'string', default: '' },
    /** Writes the plot there. */
    plot: { type: 'string', default: '' },
  },
});
const rounds = Number(options.rounds);
const seconds = Number(options.seconds);
const connections = Number(options.connections);
const keyCount = Number(options.keys);
/** What other programs may take of the machine before its figures mean nothing. */
const othersMost = 0.08;
const usualKeys = 100;
/**
 * Until V8 has compiled what is hot: the more code a contender has, the longer it takes. Half load is warmed up too:
 * what runs once a batch runs far more often there, and is compiled only then.
 */
const warmUpSeconds = { full: 30, half: 15 };
/** Of the most each contender does: a connection that waits as long as it works sends half as much. */
const halfLoad = 0.5;

const say = (text: string): boolean => process.stderr.write(`${text}\n`);

/** A run with failed requests has no figures; the warm-up may have some. */
function refuseFailures({ name }: Contender, { failed, requests }: Sample): void {
  if (failed === 0) return;
  const text = `${name}: ${failed} of ${requests} requests failed`;
  if (!options.force) throw new Error(`${text}: no figures (--force)`);
  say(text);
}

type Runs = Map<Contender, { full: Sample[]; half: Sample[] }>;

async function measureField(programs: Programs, field: Field): Promise<Result[]> {
  const chosen = field.contenders.filter(({ name, guards }) => !guards || name.includes(options.only));
  for (const contender of chosen) await checkContender(contender, field);
  say(`${chosen.length} contenders answer right: served, 401, 429`);
  const fileOf = ({ present }: Contender): string =>
    field.keys.fileOf(Math.min(usualKeys, keyCount), present);
  const keyFiles = new Map(chosen.map((contender) => [contender, fileOf(contender)]));
  const runs: Runs = new Map(chosen.map((contender) => [contender, { full: [], half: [] }]));
  let floorRps = 0;
  for (let round = 0; round <= rounds; round += 1) {
    for (const contender of chosen) {
      const keyFile = keyFiles.get(contender) ?? '';
      const load = { keyFile, connections };
      const lasts = round === 0 ? warmUpSeconds : { full: seconds, half: seconds };
      const full = await measureOnce({ programs, field }, contender, { ...load, seconds: lasts.full });
      if (!contender.guards) floorRps = full.rps;
      const name = round === 0 ? 'warm-up' : `round ${round} of ${rounds}`;
      const us = `${full.cpuUs.toFixed(0)} us CPU a request, ${full.allCpuUs.toFixed(0)} with stores`;
      say(`${name}: ${contender.name}: ${(full.rps / floorRps).toFixed(2)} of the floor, ${us}`);
      // The same load for all: half of what the gateway does, so that what differs is what each adds.
      const gatewayRps = runs.get(field.gateway)?.full.at(-1)?.rps ?? full.rps;
      const delayMs = (connections * 1_000) / (gatewayRps * halfLoad);
      const half = await measureOnce({ programs, field }, contender, {
        ...load,
        seconds: lasts.half,
        delayMs,
      });
      if (round === 0) continue;
      refuseFailures(contender, full);
      refuseFailures(contender, half);
      runs.get(contender)?.full.push(full);
      runs.get(contender)?.half.push(half);
    }
  }
  return chosen.map((contender) => {
    const { full = [], half = [] } = runs.get(contender) ?? {};
    return { contender, full: medianSample(full), half: medianSample(half) };
  });
}

/** The same load over more and more keys, the first of them used again and again. */
async function measureGrowth(programs: Programs, field: Field): Promise<Growth> {
  const sizes = [1, 10, 100, 1_000, 10_000, 100_000].filter((size) => size <= keyCount);
  const samples = new Map<number, Sample[]>(sizes.map((size) => [size, []]));
  for (let round = 0; round < Math.min(rounds, 3); round += 1) {
    for (const size of sizes) {
      const load = { keyFile: field.keys.fileOf(size), seconds, connections };
      samples.get(size)?.push(await measureOnce({ programs, field }, field.gateway, load));
    }
  }
  return sizes.map((keys) => ({ keys, sample: medianSample(samples.get(keys) ?? []) }));
}

async function run(dir: string): Promise<void> {
  const programs = findPrograms(say);
  await startDataStores();
  say(`making ${keyCount} keys and starting everybody ...`);
  const field = await openField(programs, dir, { keyCount, only: options.only });
  try {
    const machine = watchMachine();
    const results = await measureField(programs, field);
    const growth = options.only === '' ? await measureGrowth(programs, field) : [];
    const use = machine();
    if (!options.force) requireQuiet(use, othersMost);
    const lines = [...tableOf(results), '', ...growthTable(growth), ''];
    lines.push(
      `${rounds} rounds of ${seconds} s, ${connections} connections, ${usualKeys} keys in use of ${keyCount}; other programs took ${(use.others * 100).toFixed(0)} % of the machine.`,
    );
    process.stdout.write(`${lines.join('\n')}\n`);
    if (options.plot !== '') writeFileSync(options.plot, plotOf(results));
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
