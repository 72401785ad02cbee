import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { maxOtherShare, watchCpuSteal, watchMachine } from '@bv/measure';
import { checkRun, objectivesOf, type K6Summary } from './check-run.ts';
import { checkSteady } from './check-steady.ts';
import { findOrBuildK6, runK6 } from './k6.ts';
import { requestsServed } from './metrics.ts';
import { readOptions, type Options } from './options.ts';
import { readRecords } from './read-records.ts';
import type { RunData, RunInput } from './record.ts';
import { writeReport } from './report.ts';
import { scenarios, type Scenario } from './scenarios.ts';
import { listPromptIds, seed } from './seed.ts';
import { openTarget, type Target } from './target.ts';
import { createViolations, type Violations } from './violations.ts';
import { samplesOf, watchRun } from './watch-run.ts';

const started = performance.now();
const say = (text: string): void => {
  const seconds = ((performance.now() - started) / 1_000).toFixed(0).padStart(5);
  process.stdout.write(`${seconds} s  ${text}\n`);
};

/** A run shorter than this starts at once and meets the edges where they come. */
const alignedFromSeconds = 120;

type Place = { dir: string; data: string; log: string; summary: string };

function makePlace(name: string): Place {
  const stamp = new Date().toISOString().slice(0, 19).replaceAll(':', '');
  const dir = fileURLToPath(new URL(`../results/${name}-${stamp}/`, import.meta.url));
  mkdirSync(dir, { recursive: true });
  const at = (file: string): string => join(dir, file);
  return { dir, data: at('data.json'), log: at('answers.log'), summary: at('k6.json') };
}

async function minuteEdge(): Promise<void> {
  const waitMs = 60_000 - (Date.now() % 60_000) + 500;
  say(`waiting ${Math.ceil(waitMs / 1_000)} s for the minute to begin`);
  await new Promise((resolve) => setTimeout(resolve, waitMs));
}

async function run(options: Options, signal: AbortSignal): Promise<boolean> {
  const scenario: Scenario = scenarios[options.scenario];
  const k6 = await findOrBuildK6(say);
  const place = makePlace(options.scenario);
  const target = await openTarget(options, say);
  try {
    say('making the data of the run ...');
    const data = await seed(target, options, scenario.seed);
    const objectives = objectivesAsked(scenario, options);
    writeFileSync(place.data, JSON.stringify({ ...data, objectives } satisfies RunInput), { mode: 0o600 });
    if (scenario.aligned === true && options.seconds >= alignedFromSeconds) await minuteEdge();
    signal.throwIfAborted();
    return await measure(options, { scenario, k6, place, target, data, signal });
  } finally {
    await target.stop();
  }
}

type Prepared = {
  scenario: Scenario;
  k6: string;
  place: Place;
  target: Target;
  data: RunData;
  signal: AbortSignal;
};

async function measure(options: Options, prepared: Prepared): Promise<boolean> {
  const { scenario, k6, place, target, data, signal } = prepared;
  const servedBefore = await requestsServed(target.monitoring);
  const othersSince = watchOthers(options);
  writeFileSync(place.log, '');
  const watch = await watchRun({ target, log: place.log, seconds: options.seconds, say });
  const addresses = scenario.ownAddresses === true ? 250 : 0;
  const files = {
    script: scenario.script,
    dataFile: place.data,
    logFile: place.log,
    summaryFile: place.summary,
  };
  try {
    signal.throwIfAborted();
    await runK6(k6, { ...files, addresses }, (kill) => signal.addEventListener('abort', kill));
  } finally {
    watch.stop();
  }
  const others = othersSince();
  signal.throwIfAborted();
  const violations = createViolations();
  const cpuMs = await watch.cpuMs(violations);
  say('judging the answers ...');
  const log = await readRecords(place.log);
  const summary = JSON.parse(readFileSync(place.summary, 'utf8')) as K6Summary;
  const { expected } = scenario;
  const asked = Object.values(objectivesAsked(scenario, options)).flat().length;
  const rules = { expected, slowMachine: options.onlyCorrectness, objectives: asked };
  checkRun(log, summary, rules, violations);
  const { facts, made } = scenario.check(log.records, data, violations);
  // Times say nothing where the machine does other things too.
  const timed = options.onlyCorrectness ? [] : log.records;
  const { memory, names } = watch;
  const wanted = samplesOf(options.seconds);
  if (scenario.steady === true) facts.push(...checkSteady(timed, { memory, names, wanted }, violations));
  const reached = log.records.filter(({ status }) => status >= 200 && status < 300).length;
  if (scenario.expected.includes(429))
    await checkReached(target, { servedBefore, reached }, { facts, violations });
  if (made !== undefined) checkMade(made, data, await listPromptIds(data), violations);
  const figures = !options.onlyCorrectness;
  if (figures && others > maxOtherShare) {
    violations.add(
      'the machine does nothing else',
      `others took ${(others * 100).toFixed(0)} % of it for a while; --only-correctness judges the answers alone`,
    );
  }
  const setting = `${options.environment}, ${data.baseUrls.length} gateways, ${options.seconds} s, ${new Date().toISOString()}`;
  const watched = { names, memory, cpuMs, objectives: objectivesOf(summary) };
  const outcome = { title: scenario.title, setting, facts, violations: violations.list(), figures };
  process.stdout.write(`\n${writeReport(place.dir, { ...outcome, ...watched, records: log.records })}\n`);
  say(`the summary and every answer are in ${place.dir}`);
  return outcome.violations.length === 0;
}

/** Where containers do the work, only CPU steal can be separated from it. */
function watchOthers({ environment }: Options): () => number {
  if (environment !== 'local') return watchCpuSteal();
  const stop = watchMachine();
  return () => stop().others;
}

/** On a busy machine responses are checked, and their times are not. */
const objectivesAsked = ({ objectives }: Scenario, { onlyCorrectness }: Options): Scenario['objectives'] =>
  onlyCorrectness ? {} : objectives;

type Served = { servedBefore: number; reached: number };

/** The services' own count of requests, against the answers that were no refusal. */
async function checkReached(
  target: Target,
  { servedBefore, reached }: Served,
  { facts, violations }: { facts: string[]; violations: Violations },
): Promise<void> {
  const served = (await requestsServed(target.monitoring)) - servedBefore;
  if (served === reached) facts.push(`the services were reached ${served} times, by what was admitted alone`);
  else violations.add('a refused request reaches no service', `${reached} admitted, ${served} arrived`);
}

function checkMade(made: Set<string>, data: RunData, listed: Set<string>, violations: Violations): void {
  const seeded = new Set(data.orgs.flatMap(({ brands }) => brands.flatMap(({ promptIds }) => promptIds)));
  const extra = listed.difference(seeded).difference(made);
  const lost = made.difference(listed);
  if (extra.size > 0) violations.add('nothing is made that no answer tells of', [...extra].join(', '));
  if (lost.size > 0) violations.add('what was answered 201 is there', [...lost].join(', '));
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
