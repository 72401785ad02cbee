import { createLogger, createMetrics } from '@bv/telemetry';
import { eventually } from '@bv/testkit';
import { connectCounterRedis } from '../src/redis/client.ts';
import { keepCounterStore, type CounterStore } from '../src/redis/counter-store.ts';
import { createCounters } from '../src/redis/counters.ts';
import { createSeenWindows } from '../src/redis/seen-windows.ts';

export type Counting = ReturnType<typeof startCounting>;

const alwaysJoined: CounterStore = {
  joined: () => true,
  look: () => undefined,
  firstJoined: async () => undefined,
  stop: async () => undefined,
};

/** A gateway's counters alone, with what they log. */
export function startCounting(url: string, { withStore = true }: { withStore?: boolean } = {}) {
  const lines: Record<string, unknown>[] = [];
  const destination = { write: (text: string) => void lines.push(JSON.parse(text)) };
  const log = createLogger({ service: 'gateway', level: 'info', destination });
  const connection = connectCounterRedis({ url, allowEviction: false, log });
  let attempts = 0;
  connection.redis.on('connecting', () => (attempts += 1));
  const store = withStore ? keepCounterStore(connection, { seen: createSeenWindows(), log }) : alwaysJoined;
  const counters = createCounters(connection, { store, timeoutMs: 1_000, metrics: createMetrics('gateway') });
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
    /** Milliseconds until something is counted. */
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
    /** Connections tried. */
    attempts: () => attempts,
    lines,
    reasons: () => lines.flatMap(({ reason }) => (typeof reason === 'string' ? [reason] : [])),
    stop: async () => {
      await store.stop();
      await connection.close();
    },
  };
}
