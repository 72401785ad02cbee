import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { Redis } from 'ioredis';

export type Script = { readonly text: string; readonly sha: string };

/** The Lua scripts of Redis. The header of each file describes its keys, arguments, reply and invariants. */
export const scripts = {
  chargeRequest: readScript('charge-request'),
  chargeMonth: readScript('charge-month'),
  depositLease: readScript('deposit-lease'),
  refundMonth: readScript('refund-month'),
  countAttempt: readScript('count-attempt'),
} as const satisfies Record<string, Script>;

/** The path is the same from `src` and from `dist`. */
function readScript(name: string): Script {
  const text = readFileSync(new URL(`../../lua/${name}.lua`, import.meta.url), 'utf8');
  return { text, sha: createHash('sha1').update(text).digest('hex') };
}

/** Hash with the run id of the Redis process, and the token that its blocks of a quota carry. */
export const storeName = 'rl:store';

/** Name of the hash with minute and month of an API key. */
export const allowanceKey = (keyId: string): string => `rl:${keyId}`;

/** Name of the hash with the failed attempts of a client address. */
export const attemptsKey = (address: string): string => `fa:${address}`;

/** Runs a script by its hash. A Redis without the script replies NOSCRIPT and gets its text. */
export async function runScript(
  redis: Redis,
  script: Script,
  keys: readonly string[],
  args: readonly string[],
): Promise<unknown> {
  try {
    return await redis.evalsha(script.sha, keys.length, ...keys, ...args);
  } catch (error) {
    const isMissing = error instanceof Error && error.message.startsWith('NOSCRIPT');
    if (!isMissing) throw error;
    return redis.eval(script.text, keys.length, ...keys, ...args);
  }
}
