import { createLogger, createMetrics } from '@bv/telemetry';
import { eventually } from '@bv/testkit';
import { createObservedWindows } from '../src/rate-limiting/allowance.ts';
import { connectCounterRedis } from '../src/rate-limiting/redis-client.ts';
import { startCounterRecovery, type CounterRecovery } from '../src/rate-limiting/counter-recovery.ts';
import { createCounters } from '../src/rate-limiting/counters.ts';

export type Counting = ReturnType<typeof startCounting>;

const alwaysRegistered: CounterRecovery = {
  isRegistered: () => true,
  probe: () => undefined,
  firstReady: async () => undefined,
  stop: async () => undefined,
};

/** Only the counters of a gateway, with their log lines. */
export function startCounting(url: string, { withRecovery = true }: { withRecovery?: boolean } = {}) {
  const lines: Record<string, unknown>[] = [];
  const destination = { write: (text: string) => void lines.push(JSON.parse(text)) };
  const log = createLogger({ service: 'gateway', level: 'info', destination });
  const connection = connectCounterRedis({ url, allowEviction: false, log });
  let attempts = 0;
  connection.redis.on('connecting', () => (attempts += 1));
  const recovery = withRecovery
    ? startCounterRecovery(connection, { observed: createObservedWindows(), log })
    : alwaysRegistered;
  const counters = createCounters(connection, {
    recovery,
    timeoutMs: 1_000,
    metrics: createMetrics('gateway'),
    now: () => new Date(),
  });
  const count = async (): Promise<number> => {
    const reply = await counters.call(
      'countAttempt',
      ['fa:192.0.2.1'],
      Math.floor(counters.clock.now() + 1_000),
    );
    return (reply as [number, number, number])[2];
  };
  return {
    redis: connection.redis,
    count,
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
    stop: async () => {
      await recovery.stop();
      await connection.close();
    },
  };
}
