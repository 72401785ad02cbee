import { redisUrl } from '@bv/testkit';
import { Redis } from 'ioredis';
import { scripts, storeName, type Script } from '../src/rate-limiting/scripts.ts';

/** The Redis of the tests, where the scripts of rate-limiting/lua run. */
export const redis = new Redis(redisUrl());

export const key = 'rl:key';
export const address = 'fa:192.0.2.1';
export const leasingMs = 500;
export const maxAttempts = 20;

/** The store of a process of Redis. Scripts run with the run id `run`. */
export const createStore = (run = 'run'): Promise<unknown> => redis.hset(storeName, { run, token: 'token' });

export async function runBatch(script: Script, keys: string[], args: unknown[][]): Promise<unknown[]> {
  const count = keys.length + 1;
  const reply = await redis.eval(script.text, count, storeName, ...keys, JSON.stringify(args), 'run');
  return JSON.parse(String(reply)) as unknown[];
}

export const run = async (script: Script, keys: string[], args: unknown[]): Promise<unknown> =>
  (await runBatch(script, keys, [args]))[0];

export const inFuture = (): number => Date.now() + 60_000;
export const inPast = (): number => Date.now() - 60_000;
export const currentMinute = (): number => Math.floor(Date.now() / 60_000);

export function currentMonth(): number {
  const now = new Date();
  return now.getUTCFullYear() * 100 + now.getUTCMonth() + 1;
}

type Reply = [state: string, nowMs: number, count: number, month: number, minute: number];
type Charge = {
  deadline?: number;
  perMinute?: number;
  observed?: [minute: number, count: number];
  mode?: 'none' | 'unlimited' | 'quota';
};

export const chargeArguments = ({ deadline, perMinute = 100, observed = [0, 0], mode = 'none' }: Charge) => [
  deadline ?? inFuture(),
  leasingMs,
  perMinute,
  ...observed,
  mode,
  maxAttempts,
];

export const charge = async (options: Charge = {}): Promise<Reply> =>
  (await run(scripts.chargeRequest, [key, address], chargeArguments(options))) as Reply;
export const chargeMonth = async (deadline = inFuture()): Promise<Reply> =>
  (await run(scripts.chargeMonth, [key], [deadline, leasingMs])) as Reply;

export const getState = ([state]: Reply): string => state;
export const block = (fields: Record<string, string | number> = {}): Promise<unknown> =>
  redis.hset(key, { month: currentMonth(), left: 2, spent: 0, leasing: 0, store: 'token', ...fields });
