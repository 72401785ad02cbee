import { createBatchBuffer } from '@bv/resilience';
import type { JsMsg } from '@nats-io/jetstream';
import { untilRoom } from '../pacing.ts';
import { applyBatch, applyOne } from './apply.ts';
import type { Held } from './apply.ts';
import { decode } from './decode.ts';
import type { AnyBatch, AnyHandler } from './handlers.ts';
import { bury, settle } from './settle.ts';
import type { Settling } from './settle.ts';

export type Dispatcher = {
  /** How many messages to ask for now; waits until that is worth a request. */
  room(): Promise<number>;
  /** Begins with a message; waits while as many are at hand as may be. */
  take(message: JsMsg): Promise<void>;
  /** Ends what has begun. */
  stop(): Promise<void>;
};

export type DispatcherOptions = {
  handlers: Record<string, AnyHandler | undefined>;
  batch: AnyBatch | undefined;
  concurrency: number;
  settling: Settling;
};

export function createDispatcher({ handlers, batch, concurrency, settling }: DispatcherOptions): Dispatcher {
  const { consumer } = settling;
  const wants = (type: string): boolean => type === batch?.type || handlers[type] !== undefined;
  const buffer =
    batch &&
    createBatchBuffer<Held>({ maxBatchSize: batch.size, maxWaitMs: batch.maxWaitMs }, (held) =>
      applyBatch(held, batch, settling),
    );
  const running = new Set<Promise<void>>();
  const run = async (work: () => Promise<void>): Promise<void> => {
    await untilRoom(running, concurrency);
    const promise = work()
      .catch((error: unknown) => settling.log.error({ err: error }, 'message neither handled nor settled'))
      .finally(() => running.delete(promise));
    running.add(promise);
  };

  const take = async (message: JsMsg): Promise<void> => {
    const decoded = decode(message, consumer, wants);
    if (message.redelivered) settling.meters.redelivered();
    if (decoded.kind === 'ignored') return settle(message, decoded.type, 'ignored', settling);
    if (decoded.kind === 'broken') {
      const { kind: _, ...dead } = decoded;
      return run(async () => settle(message, dead.type, await bury(dead, 1, settling), settling));
    }
    const { envelope } = decoded;
    if (buffer !== undefined && envelope.type === batch?.type) return buffer.add({ message, envelope });
    const handler = handlers[envelope.type];
    if (handler !== undefined) await run(() => applyOne(message, envelope, handler, settling));
  };
  return {
    take,
    // Below half of the places a request would fetch a message or two and cost as much as one for many.
    room: async () => {
      if (batch !== undefined) return batch.size;
      await untilRoom(running, Math.ceil(concurrency / 2) + 1);
      return concurrency - running.size;
    },
    stop: async () => {
      await buffer?.stop();
      await Promise.all(running);
    },
  };
}
