/**
 * `npm test`: runs jest. Files that failed during high CPU steal run again one after another, at most twice: a deadline of
 * seconds may expire then without a defect. A defect fails each time.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { watchCpuSteal } from '@bv/measure';
import { type FileCounts, filesToRepeat, summaryLine, mergeRepeated } from './summary.ts';

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

async function runWithCpuSteal(args: readonly string[]) {
  const readCpuSteal = watchCpuSteal();
  return { ...(await run(args)), cpuSteal: readCpuSteal() };
}

const maxRepeats = 2;
const args = process.argv.slice(2);
// With jest options the run may have selected some tests of a file only.
const hasOptions = args.some((arg) => arg.startsWith('-'));
let last = await runWithCpuSteal(args);
let all = last.files;
for (let repeats = 0; repeats < maxRepeats && !stopped && !hasOptions; repeats += 1) {
  const repeat = filesToRepeat(last.files, last.cpuSteal);
  if (repeat.length === 0) break;
  const percent = (last.cpuSteal * 100).toFixed(0);
  console.log(`\nCPU steal reached ${percent} %. These failed files run again:`);
  for (const path of repeat) console.log(`  ${path}`);
  last = await runWithCpuSteal(['--runInBand', '--runTestsByPath', ...repeat]);
  all = mergeRepeated(all, last.files);
  console.log(`\n${repeat.length} repeated files: ${summaryLine(last.files)}. All files:`);
  console.log(`\n${summaryLine(all)}`);
}
process.exitCode = last.status;
