import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { maxOtherShare, watchCpuSteal, watchMachine } from '@bv/measure';
import { checkRun, objectivesOf, type K6Summary } from './check-run.ts';
import { checkSteady } from './check-steady.ts';
import { findOrBuildK6, runK6 } from './k6.ts';
import { countRequestsServed } from './metrics.ts';
import { readOptions, type Options } from './options.ts';
import { readRecords } from './read-records.ts';
import type { RunData, RunInput } from './record.ts';
import { writeReport } from './report.ts';
import { scenarios, type Scenario } from './scenarios.ts';
import { listPromptIds, seed } from './seed.ts';
import { openTarget, type Target } from './target.ts';
import { createViolations, type Violations } from './violations.ts';
import { expectedSamples, watchRun } from './watch-run.ts';

const started = performance.now();
const report = (text: string): void => {
  const seconds = ((performance.now() - started) / 1_000).toFixed(0).padStart(5);
  process.stdout.write(`${seconds} s  ${text}\n`);
};

/** Shorter runs do not wait for a minute to begin. */
const minAlignedSeconds = 120;

type RunFiles = { dir: string; data: string; log: string; summary: string };

function createRunFiles(name: string): RunFiles {
  const stamp = new Date().toISOString().slice(0, 19).replaceAll(':', '');
  const dir = fileURLToPath(new URL(`../results/${name}-${stamp}/`, import.meta.url));
  mkdirSync(dir, { recursive: true });
  const at = (file: string): string => join(dir, file);
  return { dir, data: at('data.json'), log: at('responses.log'), summary: at('k6.json') };
}

async function waitForMinute(): Promise<void> {
  const waitMs = 60_000 - (Date.now() % 60_000) + 500;
  report(`waiting ${Math.ceil(waitMs / 1_000)} s for the minute to begin`);
  await new Promise((resolve) => setTimeout(resolve, waitMs));
}

async function run(options: Options, signal: AbortSignal): Promise<boolean> {
  const scenario: Scenario = scenarios[options.scenario];
  const k6 = await findOrBuildK6(report);
  const runFiles = createRunFiles(options.scenario);
  const target = await openTarget(options, report);
  try {
    report('creating the data of the run ...');
    const data = await seed(target, options, scenario.seed);
    const objectives = selectObjectives(scenario, options);
    writeFileSync(runFiles.data, JSON.stringify({ ...data, objectives } satisfies RunInput), { mode: 0o600 });
    if (scenario.aligned === true && options.seconds >= minAlignedSeconds) await waitForMinute();
    signal.throwIfAborted();
    return await measure(options, { scenario, k6, runFiles, target, data, signal });
  } finally {
    await target.stop();
  }
}

type Prepared = {
  scenario: Scenario;
  k6: string;
  runFiles: RunFiles;
  target: Target;
  data: RunData;
  signal: AbortSignal;
};

async function measure(options: Options, prepared: Prepared): Promise<boolean> {
  const { scenario, k6, runFiles, target, data, signal } = prepared;
  const servedBefore = await countRequestsServed(target.monitoring);
  const stopWatching = watchOtherLoad(options);
  writeFileSync(runFiles.log, '');
  const watch = await watchRun({ target, log: runFiles.log, seconds: options.seconds, report });
  const addresses = scenario.ownAddresses === true ? 250 : 0;
  const files = {
    script: scenario.script,
    dataFile: runFiles.data,
    logFile: runFiles.log,
    summaryFile: runFiles.summary,
  };
  try {
    signal.throwIfAborted();
    await runK6(k6, { ...files, addresses }, (kill) => signal.addEventListener('abort', kill));
  } finally {
    watch.stop();
  }
  const otherLoad = stopWatching();
  signal.throwIfAborted();
  const violations = createViolations();
  const cpuMs = await watch.cpuMs(violations);
  report('checking the responses ...');
  const log = await readRecords(runFiles.log);
  const summary = JSON.parse(readFileSync(runFiles.summary, 'utf8')) as K6Summary;
  const { expected } = scenario;
  const objectiveCount = Object.values(selectObjectives(scenario, options)).flat().length;
  const rules = { expected, slowMachine: options.onlyCorrectness, objectives: objectiveCount };
  checkRun(log, summary, rules, violations);
  const { facts, created } = scenario.check(log.records, data, violations);
  // Times are not valid on a machine with other load.
  const timed = options.onlyCorrectness ? [] : log.records;
  const { memory, names } = watch;
  const expectedCount = expectedSamples(options.seconds);
  if (scenario.steady === true)
    facts.push(...checkSteady(timed, { memory, names, expectedCount }, violations));
  const reached = log.records.filter(({ status }) => status >= 200 && status < 300).length;
  if (scenario.expected.includes(429))
    await checkReached(target, { servedBefore, reached }, { facts, violations });
  if (created !== undefined) checkCreated(created, data, await listPromptIds(data), violations);
  const figures = !options.onlyCorrectness;
  if (figures && otherLoad > maxOtherShare) {
    violations.add(
      'the machine is otherwise idle',
      `other programs used ${(otherLoad * 100).toFixed(0)} % of it for a while; --only-correctness checks only the responses`,
    );
  }
  const setting = `${options.environment}, ${data.baseUrls.length} gateways, ${options.seconds} s, ${new Date().toISOString()}`;
  const watched = { cpuMs, objectives: objectivesOf(summary) };
  const outcome = { title: scenario.title, setting, facts, violations: violations.list(), figures };
  process.stdout.write(`\n${writeReport(runFiles.dir, { ...outcome, ...watched, records: log.records })}\n`);
  report(`the summary and all responses are in ${runFiles.dir}`);
  return outcome.violations.length === 0;
}

/** With containers, only CPU steal can be separated from the load of the run. */
function watchOtherLoad({ environment }: Options): () => number {
  if (environment !== 'local') return watchCpuSteal();
  const stop = watchMachine();
  return () => stop().others;
}

/** With `--only-correctness` no times are checked. */
const selectObjectives = ({ objectives }: Scenario, { onlyCorrectness }: Options): Scenario['objectives'] =>
  onlyCorrectness ? {} : objectives;

type Served = { servedBefore: number; reached: number };

/** Compares the requests that the services counted with the responses that are no refusal. */
async function checkReached(
  target: Target,
  { servedBefore, reached }: Served,
  { facts, violations }: { facts: string[]; violations: Violations },
): Promise<void> {
  const served = (await countRequestsServed(target.monitoring)) - servedBefore;
  if (served === reached) facts.push(`the services got ${served} requests, only admitted ones`);
  else violations.add('a refused request reaches no service', `${reached} admitted, ${served} arrived`);
}

function checkCreated(
  created: Set<string>,
  data: RunData,
  listed: Set<string>,
  violations: Violations,
): void {
  const seeded = new Set(data.orgs.flatMap(({ brands }) => brands.flatMap(({ promptIds }) => promptIds)));
  const extra = listed.difference(seeded).difference(created);
  const lost = created.difference(listed);
  if (extra.size > 0) violations.add('only acknowledged resources exist', [...extra].join(', '));
  if (lost.size > 0) violations.add('every resource of a 201 exists', [...lost].join(', '));
}

async function main(): Promise<number> {
  const stop = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM'] as const)
    process.on(signal, () => stop.abort(new Error('stopped')));
  try {
    return (await run(readOptions(process.argv.slice(2), process.env), stop.signal)) ? 0 : 1;
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
    return 2;
  }
}

process.exit(await main());
