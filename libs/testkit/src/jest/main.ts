/**
 * `npm test`: jest, and at most twice more the files that failed while the host of this virtual machine kept much of
 * it for others, one after another: deadlines of seconds pass there without a defect. A defect fails each time.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { watchCpuSteal } from '@bv/measure';
import { type FileCounts, filesToRepeat, summaryLine, withRepeated } from './summary.ts';

const jest = [
  '--experimental-vm-modules',
  '--disable-warning=ExperimentalWarning',
  'node_modules/jest/bin/jest.js',
];
const scratch = mkdtempSync(join(tmpdir(), 'bv-tests-'));
process.once('exit', () => rmSync(scratch, { recursive: true, force: true }));

let running: ChildProcess | undefined;
let stopped = false;
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  process.on(signal, () => {
    stopped = true;
    running?.kill(signal);
  });
}

async function run(args: readonly string[]): Promise<{ status: number; files: FileCounts[] }> {
  const countsFile = join(scratch, 'counts.json');
  rmSync(countsFile, { force: true });
  running = spawn(process.execPath, [...jest, ...args], {
    stdio: 'inherit',
    env: { ...process.env, TEST_COUNTS_FILE: countsFile },
  });
  const [code] = (await once(running, 'exit')) as [number | null];
  const files = existsSync(countsFile) ? (JSON.parse(readFileSync(countsFile, 'utf8')) as FileCounts[]) : [];
  return { status: code ?? 1, files };
}

async function runWatched(args: readonly string[]) {
  const stolenSince = watchCpuSteal();
  return { ...(await run(args)), stolen: stolenSince() };
}

const repeatsMost = 2;
const args = process.argv.slice(2);
// With options of its own the run may have chosen some tests of a file.
const chosen = args.some((arg) => arg.startsWith('-'));
let last = await runWatched(args);
let all = last.files;
for (let repeats = 0; repeats < repeatsMost && !stopped && !chosen; repeats += 1) {
  const repeat = filesToRepeat(last.files, last.stolen);
  if (repeat.length === 0) break;
  const percent = (last.stolen * 100).toFixed(0);
  console.log(
    `\nThe host kept up to ${percent} % of the CPU time wanted here for others. What failed runs once more:`,
  );
  for (const path of repeat) console.log(`  ${path}`);
  last = await runWatched(['--runInBand', '--runTestsByPath', ...repeat]);
  all = withRepeated(all, last.files);
  console.log(`\nOf ${repeat.length} repeated: ${summaryLine(last.files)}; of all:`);
  console.log(`\n${summaryLine(all)}`);
}
process.exitCode = last.status;
