import { execFile } from 'node:child_process';
import { stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

export type Identity = { uid: number; gid: number };

/** PostgreSQL refuses to run as root: there it runs as `postgres`, or as `nobody` where no such user exists. */
export async function postgresIdentity(): Promise<Identity | undefined> {
  if (process.getuid?.() !== 0) return undefined;
  for (const user of ['postgres', 'nobody']) {
    try {
      const [uid, gid] = await Promise.all([run('id', ['-u', user]), run('id', ['-g', user])]);
      return { uid: Number(uid.stdout), gid: Number(gid.stdout) };
    } catch {
      // No such user; the next one may exist.
    }
  }
  return { uid: 65_534, gid: 65_534 };
}

/** Whether the identity can reach the directory: each one above it must let others pass. */
export async function isReachableBy(identity: Identity | undefined, dir: string): Promise<boolean> {
  if (identity === undefined) return true;
  for (let current = dir; ; current = dirname(current)) {
    const info = await stat(current).catch(() => undefined);
    if (info !== undefined && !mayPass(info, identity)) return false;
    if (dirname(current) === current) return true;
  }
}

function mayPass(info: { mode: number; uid: number; gid: number }, identity: Identity): boolean {
  if (info.uid === identity.uid) return (info.mode & 0o100) !== 0;
  if (info.gid === identity.gid) return (info.mode & 0o010) !== 0;
  return (info.mode & 0o001) !== 0;
}
