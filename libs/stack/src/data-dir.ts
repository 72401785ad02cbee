import { chmodSync, mkdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { StackFailure } from './failure.ts';

/** Where everything lies below the data directory. */
export type DataDir = {
  path: string;
  lockFile: string;
  /** One file per process started. */
  processes: string;
  logs: string;
  secretsFile: string;
  /** Which data stores hold the data: they are used again, whatever else the machine has by then. */
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
    // Others may pass, which PostgreSQL's own user has to, and see nothing.
    mkdirSync(path, { recursive: true });
    if (statSync(path).uid === process.getuid?.()) chmodSync(path, 0o711);
    mkdirSync(dir.logs, { recursive: true, mode: 0o700 });
    mkdirSync(dir.processes, { recursive: true, mode: 0o700 });
  } catch (error) {
    throw new StackFailure(`${path} cannot be used: ${(error as Error).message}`);
  }
  return dir;
}

/** Whole or not at all, and for the owner alone. */
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
    throw new StackFailure(`${file} is damaged. Repair it, or remove its directory to start afresh.`);
  }
}

const maximumLogBytes = 10 * 1_024 * 1_024;

/** The log a process appends to; what has grown large goes aside first, once a start. */
export function openLogFile({ logs }: DataDir, name: string): string {
  const file = join(logs, `${name}.log`);
  const size = statSync(file, { throwIfNoEntry: false })?.size ?? 0;
  if (size > maximumLogBytes) renameSync(file, `${file}.1`);
  return file;
}
