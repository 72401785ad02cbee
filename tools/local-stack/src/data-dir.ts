import { chmodSync, mkdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { StackFailure } from './failure.ts';

/** The files and folders below the data directory. */
export type DataDir = {
  path: string;
  lockFile: string;
  /** One file per started process. */
  processes: string;
  logs: string;
  secretsFile: string;
  /** The source that holds the data. Later starts use it again, even if another source is available by then. */
  choiceFile: string;
  demoFile: string;
  stackFile: string;
};

export function openDataDir(path: string): DataDir {
  const dir: DataDir = {
    path,
    lockFile: join(path, 'stack.pid'),
    processes: join(path, 'processes'),
    logs: join(path, 'logs'),
    secretsFile: join(path, 'secrets.json'),
    choiceFile: join(path, 'datastores.json'),
    demoFile: join(path, 'demo.json'),
    stackFile: join(path, 'stack.json'),
  };
  try {
    // Other users may traverse the directory but not list it: PostgreSQL's user must reach its data below.
    mkdirSync(path, { recursive: true });
    if (statSync(path).uid === process.getuid?.()) chmodSync(path, 0o711);
    mkdirSync(dir.logs, { recursive: true, mode: 0o700 });
    mkdirSync(dir.processes, { recursive: true, mode: 0o700 });
  } catch (error) {
    throw new StackFailure(`${path} cannot be used: ${(error as Error).message}`);
  }
  return dir;
}

/** Writes a file atomically. Only its owner can read it. */
export function writeJsonFile(file: string, content: unknown): void {
  const fresh = `${file}.new`;
  rmSync(fresh, { force: true });
  writeFileSync(fresh, `${JSON.stringify(content, null, 2)}\n`, { mode: 0o600 });
  renameSync(fresh, file);
}

export function readJsonFile<T>(file: string): T | undefined {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
  try {
    return JSON.parse(text) as T;
  } catch {
    throw new StackFailure(
      `${file} is damaged. Repair it, or remove its directory to start with empty data.`,
    );
  }
}

const maximumLogBytes = 10 * 1_024 * 1_024;

/** Returns the log file of a process. Rotates it first if it is larger than 10 MB. */
export function openLogFile({ logs }: DataDir, name: string): string {
  const file = join(logs, `${name}.log`);
  const size = statSync(file, { throwIfNoEntry: false })?.size ?? 0;
  if (size > maximumLogBytes) renameSync(file, `${file}.1`);
  return file;
}
