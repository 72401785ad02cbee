import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { Command } from 'ioredis';
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
    return await callScript(redis, script.sha, keys, args);
  } catch (error) {
    const isMissing = error instanceof Error && error.message.startsWith('NOSCRIPT');
    if (!isMissing) throw error;
    return redis.eval(script.text, keys.length, ...keys, ...args);
  }
}

/** Members of an ioredis command. Some of them are private in its types. */
type Settled = {
  promise: Promise<unknown>;
  isSettled: boolean;
  resolve: (reply: unknown) => void;
  reject: (error: Error) => void;
  stringifyArguments(): void;
  _convertValue(resolve: (value: unknown) => void): (reply: unknown) => void;
  _clearTimers(): void;
};
type Options = { replyEncoding: 'utf8'; keyPrefix: string | undefined };
type Arguments = [name: string, args: (string | number)[], options: Options];
const Base = Command as unknown as new (...args: Arguments) => Settled;

function callScript(
  redis: Redis,
  sha: string,
  keys: readonly string[],
  args: readonly string[],
): Promise<unknown> {
  const call = new ScriptCall('evalsha', [sha, keys.length, ...keys, ...args], {
    replyEncoding: 'utf8',
    keyPrefix: redis.options.keyPrefix,
  });
  return redis.sendCommand(call as unknown as Command) as Promise<unknown>;
}

/**
 * V8 allocates the function literal that ioredis assigns to `reject` in the old generation. There it keeps the command with
 * arguments and reply alive until the next full collection. This class assigns the result of a function call instead
 * (docs/adr/0009-patched-clients.md).
 */
class ScriptCall extends Base {
  /** Called by the constructor. */
  initPromise(): void {
    const { promise, resolve, reject } = Promise.withResolvers();
    this.stringifyArguments();
    this.promise = promise;
    this.resolve = this._convertValue(resolve);
    this.reject = rejecter(this, reject);
  }
}

function rejecter(command: Settled, reject: (error: Error) => void): (error: Error) => void {
  return (error) => {
    command._clearTimers();
    command.isSettled = true;
    reject(error);
  };
}
