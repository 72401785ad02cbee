import { linkSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { processStartTime } from './process-start-time.ts';

type Owner = { pid: number; mark: string };

/**
 * Locks a data directory for one running stack. Returns the process that holds the lock, if any. The file is written
 * under another name and linked, so that it appears complete. The lock of an ended process is moved first and
 * checked again: another start may have replaced it between the two checks.
 */
export function acquireInstanceLock(file: string): { heldBy: number } | undefined {
  const own = `${file}.${process.pid}`;
  const owner: Owner = { pid: process.pid, mark: processStartTime(process.pid) ?? '' };
  writeFileSync(own, JSON.stringify(owner), { mode: 0o600 });
  try {
    while (!tryLink(own, file)) {
      const holder = readOwner(file);
      if (isAlive(holder)) return { heldBy: holder.pid };
      const aside = `${own}.stale`;
      if (tryMove(file, aside) && isAlive(readOwner(aside))) tryLink(aside, file);
      rmSync(aside, { force: true });
    }
    return undefined;
  } finally {
    rmSync(own, { force: true });
  }
}

function tryLink(existing: string, file: string): boolean {
  try {
    linkSync(existing, file);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    return false;
  }
}

function tryMove(from: string, to: string): boolean {
  try {
    renameSync(from, to);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    return false;
  }
}

function isAlive(owner: Owner | undefined): owner is Owner {
  return owner !== undefined && processStartTime(owner.pid) === owner.mark;
}

export function releaseInstanceLock(file: string): void {
  if (readOwner(file)?.pid === process.pid) rmSync(file, { force: true });
}

function readOwner(file: string): Owner | undefined {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as Owner;
  } catch {
    return undefined;
  }
}
