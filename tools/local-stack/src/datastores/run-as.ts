import { execFile } from 'node:child_process';
import { stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

export type Identity = { uid: number; gid: number };

/** PostgreSQL does not run as root. For root it runs as `postgres`, or as `nobody` if that user does not exist. */
export async function postgresIdentity(): Promise<Identity | undefined> {
  if (process.getuid?.() !== 0) return undefined;
  for (const user of ['postgres', 'nobody']) {
    try {
      const [uid, gid] = await Promise.all([run('id', ['-u', user]), run('id', ['-g', user])]);
      return { uid: Number(uid.stdout), gid: Number(gid.stdout) };
    } catch {
      // No such user: try the next one.
    }
  }
  return { uid: 65_534, gid: 65_534 };
}

/** Whether the identity can traverse every directory down to this one. */
export async function isReachableBy(identity: Identity | undefined, dir: string): Promise<boolean> {
  if (identity === undefined) return true;
  for (let current = dir; ; current = dirname(current)) {
    const info = await stat(current).catch(() => undefined);
    if (info !== undefined && !canTraverse(info, identity)) return false;
    if (dirname(current) === current) return true;
  }
}

function canTraverse(info: { mode: number; uid: number; gid: number }, identity: Identity): boolean {
  if (info.uid === identity.uid) return (info.mode & 0o100) !== 0;
  if (info.gid === identity.gid) return (info.mode & 0o010) !== 0;
  return (info.mode & 0o001) !== 0;
}
