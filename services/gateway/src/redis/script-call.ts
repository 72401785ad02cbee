import { Command } from 'ioredis';
import type { Redis } from 'ioredis';

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

/** Runs a script by its hash. */
export function callScript(
  redis: Redis,
  hash: string,
  keys: readonly string[],
  args: string,
): Promise<unknown> {
  const call = new ScriptCall('evalsha', [hash, keys.length, ...keys, args], {
    replyEncoding: 'utf8',
    keyPrefix: redis.options.keyPrefix,
  });
  return redis.sendCommand(call as unknown as Command) as Promise<unknown>;
}

/**
 * V8 allocates the function literal that ioredis assigns to `reject` in the old generation. There it keeps the command with
 * arguments and reply alive until the next full collection. This class assigns the result of a function call instead.
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
