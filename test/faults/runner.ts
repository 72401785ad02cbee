import { seeded } from './harness/random.ts';
import type { Outcome, Scenario } from './harness/scenario.ts';
import { startSystem, type System } from './harness/system.ts';

type Row = Outcome & { name: string; seconds: number };

/** Ends a scenario that hangs. Longer than any scenario, outages of one minute included. */
const limitMs = 300_000;
const shownViolations = 12;
const print = (line: string): boolean => process.stdout.write(`${line}\n`);

/** Runs scenarios in sequence on one system. A scenario that leaves it unhealthy fails, and the next gets a new system. */
export async function run(scenarios: readonly Scenario[], seed: number): Promise<boolean> {
  print(`seed ${seed}`);
  const rows: Row[] = [];
  let system: System | undefined;
  const end = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => end.abort());
  try {
    for (const scenario of scenarios) {
      if (end.signal.aborted) break;
      system ??= await started();
      const row = await runOne(scenario, system, seed, end.signal);
      rows.push(row);
      if (row.violations.length > 0 && !(await system.healthy(5_000))) {
        await system.stop();
        system = undefined;
      }
    }
  } finally {
    await system?.stop();
  }
  return printSummary(rows, seed);
}

async function started(): Promise<System> {
  const from = performance.now();
  const system = await startSystem();
  print(`the system started after ${((performance.now() - from) / 1_000).toFixed(1)} s`);
  return system;
}

async function runOne(scenario: Scenario, system: System, seed: number, stopped: AbortSignal): Promise<Row> {
  const from = performance.now();
  const elapsed = (): number => (performance.now() - from) / 1_000;
  print(`\n${scenario.name}: ${scenario.guarantee}`);
  const context = {
    system,
    random: seeded(seed),
    report: (line: string) => void print(`  ${elapsed().toFixed(1).padStart(5)} s  ${line}`),
  };
  const outcome = await Promise.race([
    scenario.run(context).catch((error: unknown) => broken(String((error as Error).stack ?? error))),
    overdue(stopped),
  ]);
  const violations = [...outcome.violations];
  if (!(await system.healthy())) violations.push('the system is not healthy afterwards');
  for (const line of violations.slice(0, shownViolations)) print(`  VIOLATED ${line}`);
  if (violations.length > shownViolations) print(`  and ${violations.length - shownViolations} more`);
  return { ...outcome, violations, name: scenario.name, seconds: elapsed() };
}

const broken = (why: string): Outcome => ({ violations: [why], summary: 'did not end' });

async function overdue(stopped: AbortSignal): Promise<Outcome> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => resolve(broken(`took more than ${limitMs / 1_000} s`)), limitMs);
    timer.unref();
    stopped.addEventListener('abort', () => resolve(broken('interrupted')), { once: true });
  });
}

function printSummary(rows: Row[], seed: number): boolean {
  const failed = rows.filter(({ violations }) => violations.length > 0).length;
  print(`\n${'scenario'.padEnd(24)} ${'result'.padEnd(8)} ${'time'.padStart(7)}  summary`);
  for (const { name, violations, seconds, summary } of rows) {
    const result = violations.length === 0 ? 'passed' : 'FAILED';
    print(`${name.padEnd(24)} ${result.padEnd(8)} ${`${seconds.toFixed(1)} s`.padStart(7)}  ${summary}`);
  }
  print(`\nseed ${seed}`);
  print(`${rows.length - failed} passed, ${failed} failed`);
  return failed === 0 && rows.length > 0;
}
