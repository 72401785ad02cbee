import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { signalQuietly } from './managed-process.ts';
import { processStartTime } from './process-start-time.ts';
import { waitUntil } from './wait-until.ts';

type ProcessRecord = {
  name: string;
  pid: number;
  /** Start time, see `processStartTime`. The name is part of the stored file. */
  mark: string;
  stopSignal: NodeJS.Signals;
  /** Other processes depend on it, so it is stopped after them. */
  foundation: boolean;
};

type NewRecord = { name: string; pid: number; stopSignal?: NodeJS.Signals; foundation?: boolean };

/**
 * Records a started process in a file. The write is synchronous, right after the start, so that a parent that is killed
 * with -9 leaves a record of every child.
 */
export function recordProcess(
  dir: string,
  { name, pid, stopSignal = 'SIGTERM', foundation = false }: NewRecord,
): void {
  const mark = processStartTime(pid);
  if (mark === undefined) return;
  mkdirSync(dir, { recursive: true });
  const record: ProcessRecord = { name, pid, mark, stopSignal, foundation };
  writeFileSync(join(dir, `${pid}.json`), JSON.stringify(record));
}

export function forgetProcess(dir: string, pid: number): void {
  rmSync(join(dir, `${pid}.json`), { force: true });
}

function readRecords(dir: string): ProcessRecord[] {
  try {
    return readdirSync(dir)
      .filter((name) => name.endsWith('.json'))
      .flatMap((name) => readRecord(join(dir, name)));
  } catch {
    return [];
  }
}

function readRecord(file: string): ProcessRecord[] {
  try {
    return [JSON.parse(readFileSync(file, 'utf8')) as ProcessRecord];
  } catch {
    // The write was interrupted. The process is unknown.
    return [];
  }
}

function isRunning({ pid, mark }: ProcessRecord): boolean {
  return processStartTime(pid) === mark;
}

/** The recorded processes that still run, in the order of their start. */
export function runningProcesses(dir: string): ProcessRecord[] {
  return readRecords(dir)
    .filter(isRunning)
    .toSorted((a, b) => a.pid - b.pid);
}

/** Stops every recorded process that still runs, foundations last, and removes all records. Returns their names. */
export async function endRecordedProcesses(
  dir: string,
  { timeoutMs }: { timeoutMs: number },
): Promise<string[]> {
  const running = runningProcesses(dir);
  for (const foundation of [false, true]) {
    const together = running.filter((record) => record.foundation === foundation);
    await Promise.all(together.map((record) => endProcess(record, timeoutMs)));
  }
  for (const { pid } of readRecords(dir)) forgetProcess(dir, pid);
  return running.map((record) => record.name);
}

async function endProcess(record: ProcessRecord, timeoutMs: number): Promise<void> {
  signalQuietly(record.pid, record.stopSignal);
  if (await waitUntil(async () => !isRunning(record), { timeoutMs })) return;
  signalQuietly(-record.pid, 'SIGKILL');
  await waitUntil(async () => !isRunning(record), { timeoutMs: 5_000 });
}
