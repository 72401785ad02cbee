import { linkSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { startMark } from './start-mark.ts';

type Owner = { pid: number; mark: string };

/**
 * One running stack a data directory. The file is written aside and linked into place, so it appears
 * whole or not at all. A file whose process is gone is moved away first and looked at again there: another
 * starter may have taken it over between the two looks.
 */
export function takeInstanceLock(file: string): { takenBy: number } | undefined {
  const mine = `${file}.${process.pid}`;
  const owner: Owner = { pid: process.pid, mark: startMark(process.pid) ?? '' };
  writeFileSync(mine, JSON.stringify(owner), { mode: 0o600 });
  try {
    while (!linked(mine, file)) {
      const holder = readOwner(file);
      if (isAlive(holder)) return { takenBy: holder.pid };
      const aside = `${mine}.stale`;
      if (moved(file, aside) && isAlive(readOwner(aside))) linked(aside, file);
      rmSync(aside, { force: true });
    }
    return undefined;
  } finally {
    rmSync(mine, { force: true });
  }
}

function linked(existing: string, file: string): boolean {
  try {
    linkSync(existing, file);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    return false;
  }
}

function moved(from: string, to: string): boolean {
  try {
    renameSync(from, to);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    return false;
  }
}

function isAlive(owner: Owner | undefined): owner is Owner {
  return owner !== undefined && startMark(owner.pid) === owner.mark;
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
