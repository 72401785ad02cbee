import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';

// oxlint-disable node/no-process-env -- each peer is a process that gets its settings from its environment
export const port = Number(process.env['PORT']);
export const upstream = `http://127.0.0.1:${process.env['UPSTREAM_PORT']}`;
export const redisUrl = process.env['REDIS_URL'] ?? '';
const mapFile = process.env['KEY_MAP'] ?? '';
// oxlint-enable node/no-process-env

const allowances = new Map(
  readFileSync(mapFile, 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => {
      const [hash = '', allowance] = line.split(' ');
      return [hash, Number(allowance)] as const;
    }),
);

export type Presented = { hash: string; perMinute: number };

/** The peers keep their keys as hashes too, in memory: they have no access to read fresh. */
export function findKey(authorization: string | undefined): Presented | undefined {
  if (authorization?.startsWith('Bearer ') !== true) return undefined;
  const hash = createHash('sha256').update(authorization.slice(7)).digest('hex');
  const perMinute = allowances.get(hash);
  return perMinute === undefined ? undefined : { hash, perMinute };
}
