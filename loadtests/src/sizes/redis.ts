import { randomBytes, randomUUID } from 'node:crypto';
import { Redis } from 'ioredis';
import type { StorageTarget } from '../target.ts';
import type { StorageSize } from './measure-storage.ts';

/** The counters of a key in Redis, written as the gateway's script leaves them. */
export async function measureCounters(target: StorageTarget): Promise<StorageSize[]> {
  const redis = new Redis(target.redisUrl);
  const usedMemory = async (): Promise<number> =>
    Number(/used_memory:(\d+)/.exec(await redis.info('memory'))?.[1]);
  const count = 20_000;
  const before = await usedMemory();
  const pipeline = redis.pipeline();
  const minute = ['minute', 30_000_000, 'count', 57];
  // The token of the store: id of the Redis process, and the time of its first use.
  const store = `${randomBytes(20).toString('hex')}:1795000000:123456`;
  const month = ['month', 202_611, 'left', 880, 'spent', 0, 'leasing', 0, 'store', store];
  for (let number = 0; number < count; number += 1) {
    const key = `rl:${randomUUID()}`;
    pipeline.hset(key, ...minute, ...month).expire(key, 3_456_000);
  }
  const responses = await pipeline.exec();
  const failure = responses?.find(([error]) => error !== null)?.[0];
  if (failure) throw failure;
  const bytes = ((await usedMemory()) - before) / count;
  if (!(bytes > 0)) throw new Error('Redis does not report its memory use');
  redis.disconnect();
  return [
    { what: 'the counters of a key in Redis', bytes, parts: '', keptFor: '40 days after its last use' },
  ];
}
