import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { signalQuietly } from './managed-process.ts';
import { startMark } from './start-mark.ts';
import { waitUntil } from './wait-until.ts';

type ProcessRecord = {
  name: string;
  pid: number;
  mark: string;
  stopSignal: NodeJS.Signals;
  /** Others cannot work without it, so it is ended after them. */
  foundation: boolean;
};

type NewRecord = { name: string; pid: number; stopSignal?: NodeJS.Signals; foundation?: boolean };

/**
 * Which processes were started for a directory, kept as one file each. Written without waiting, right after
 * the start, so that even a starter killed with -9 leaves word of every child.
 */
export function recordProcess(
  dir: string,
  { name, pid, stopSignal = 'SIGTERM', foundation = false }: NewRecord,
): void {
  const mark = startMark(pid);
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
    // Cut off in the middle of the write: the process had just been started and is not known.
    return [];
  }
}

function isRunning({ pid, mark }: ProcessRecord): boolean {
  return startMark(pid) === mark;
}

/** Those recorded that still run, in the order they were started. */
export function runningProcesses(dir: string): ProcessRecord[] {
  return readRecords(dir)
    .filter(isRunning)
    .toSorted((a, b) => a.pid - b.pid);
}

/** Ends every recorded process that still runs, foundations last, and forgets them all. Answers their names. */
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
