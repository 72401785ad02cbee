import type { Notifier } from '@bv/lifecycle';
import { backoffMs } from '@bv/resilience';
import { jetstream } from '@nats-io/jetstream';
import type { ConsumerMessages, Consumer as JetStreamConsumer, JsMsg } from '@nats-io/jetstream';
import type { Nats } from '../nats/connect.ts';
import { ensureConsumer, ensureStream } from '../nats/stream.ts';
import { createStateLog, retryBackoff } from '../retry.ts';
import type { Processor } from './process.ts';
import type { ConsumerContext } from './settle.ts';

export type Pull = {
  /** Resolves after the first attempt to set up the consumer, also if it failed. */
  firstSetUp: Promise<void>;
  stop(): Promise<void>;
};

export type PullOptions = {
  nats: Nats;
  name: string;
  filterSubject: string;
  ackWaitMs: number;
  maxAckPending: number;
  processor: Processor;
  notifier: Notifier;
};

/** A request is renewed after this time. Heartbeats come at half of it, and the second missed one ends the request. */
const pullExpiresMs = 5_000;
const apiTimeoutMs = 3_000;

/**
 * Fetches as many messages as there are free slots. Extends the `ack_wait` of each received message until it is settled.
 * After an error, such as a restart of the server or a deleted stream, it sets up stream and consumer again.
 */
export function createPull(ctx: ConsumerContext, options: PullOptions): Pull {
  const { nats, processor, notifier } = options;
  const messages = { up: 'consumer works again', down: 'consumer cannot fetch messages' };
  const state = createStateLog(ctx.log, messages);
  let stopping = false;
  let consumer: JetStreamConsumer | undefined;
  let request: ConsumerMessages | undefined;
  let markSetUp: () => void;
  const firstSetUp = new Promise<void>((resolve) => {
    markSetUp = resolve;
  });

  const runOnce = async (): Promise<void> => {
    consumer ??= await setUpConsumer(options);
    markSetUp();
    await ctx.availability.untilAvailable(notifier, () => stopping);
    const slots = await processor.freeSlots();
    if (stopping) return;
    request = await consumer.fetch({ max_messages: slots, expires: pullExpiresMs });
    await processAll(request, ctx, (message) => {
      state.up();
      return stopping ? returnMessage(message, ctx) : processor.process(message);
    });
    state.up();
  };
  const loop = async (): Promise<void> => {
    for (let failures = 0; !stopping; failures += 1) {
      try {
        await runOnce();
        failures = -1;
      } catch (error) {
        consumer = undefined;
        markSetUp();
        state.down(error);
        if (!stopping) await notifier.wait(backoffMs(retryBackoff, failures));
      }
    }
  };

  const unsubscribe = nats.onReconnect(() => {
    consumer = undefined;
    void request?.close();
    notifier.wake();
  });
  const ended = loop();
  return {
    firstSetUp,
    stop: async () => {
      stopping = true;
      unsubscribe();
      notifier.wake();
      void request?.close();
      await ended;
    },
  };
}

async function setUpConsumer(options: PullOptions): Promise<JetStreamConsumer> {
  const { nats } = options;
  if (!nats.isConnected()) throw new Error('not connected to NATS');
  await ensureStream(nats);
  const info = await ensureConsumer(nats, options);
  return jetstream(nats.connection, { timeout: apiTimeoutMs }).consumers.getConsumerFromInfo(info);
}

/** Processes the messages in order and extends their `ack_wait`. Throws the last error after all messages. */
async function processAll(
  messages: ConsumerMessages,
  { inFlight }: ConsumerContext,
  process: (message: JsMsg) => Promise<void>,
): Promise<void> {
  let processed = Promise.resolve();
  let failure: unknown;
  try {
    for await (const message of messages) {
      inFlight.set(message, Date.now());
      processed = processed
        .then(() => process(message))
        .catch((error: unknown) => {
          failure = error;
          inFlight.delete(message);
        });
    }
  } finally {
    await processed;
  }
  if (failure !== undefined) throw failure;
}

async function returnMessage(message: JsMsg, { inFlight }: ConsumerContext): Promise<void> {
  inFlight.delete(message);
  message.nak();
}
