import { createLogger, createMetrics } from '@bv/telemetry';
import { eventually } from '@bv/testkit';
import type { Access } from '../src/domain/access.ts';
import { createAllowance, createObservedWindows } from '../src/rate-limiting/allowance.ts';
import { createCounters } from '../src/rate-limiting/counters.ts';
import { connectCounterRedis } from '../src/rate-limiting/redis-client.ts';

export type Counting = ReturnType<typeof startCounting>;

/** Address whose failed attempts `count` counts. */
export const address = '192.0.2.1';

/** Only the counters of a gateway, with their log lines. */
export function startCounting(url: string) {
  const lines: Record<string, unknown>[] = [];
  const destination = { write: (text: string) => void lines.push(JSON.parse(text)) };
  const log = createLogger({ service: 'gateway', level: 'info', destination });
  const connection = connectCounterRedis({ url, allowEviction: false, log });
  let attempts = 0;
  connection.redis.on('connecting', () => (attempts += 1));
  const metrics = createMetrics('gateway');
  const counters = createCounters(connection, { timeoutMs: 1_000, metrics, now: () => new Date() });
  const allowance = createAllowance(counters, {
    observed: createObservedWindows(),
    maxFailedAttempts: 20,
    leaseQuotaBlock: () => Promise.reject(new Error('no key has a quota')),
  });
  const count = async (): Promise<number> => {
    const deadline = Math.floor(counters.clock.now() + 1_000);
    const reply = await counters.call('countAttempt', [`fa:${address}`], deadline);
    return (reply as [number, number, number])[2];
  };
  return {
    redis: connection.redis,
    count,
    /** Charges a request of a key without a quota. */
    charge: (keyId: string, perMinute: number) =>
      allowance.charge({ keyId, perMinute, monthlyQuota: null } as Access, {
        months: true,
        address: '192.0.2.2',
      }),
    /** Waits until a request is counted. Returns the milliseconds. */
    untilCounted: async (timeoutMs = 20_000): Promise<number> => {
      const from = performance.now();
      await eventually(count, { timeoutMs });
      return performance.now() - from;
    },
    /** The reason of the next refusal. */
    refusal: async (): Promise<string> => {
      const refused: unknown = await count().then(
        () => undefined,
        (error: unknown) => error,
      );
      const parts: string[] = [];
      for (let one = refused; one instanceof Error; one = one.cause) parts.push(one.message);
      return parts.join(' <- ');
    },
    /** Number of connection attempts. */
    attempts: () => attempts,
    lines,
    reasons: () => lines.flatMap(({ reason }) => (typeof reason === 'string' ? [reason] : [])),
    stop: () => connection.close(),
  };
}
