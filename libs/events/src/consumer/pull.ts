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
  /** Settled when the consumer has been set up, or that has failed once and is being tried again. */
  firstTry: Promise<void>;
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

/** A request is renewed after this time; heartbeats come at half of it and the second missed one ends it. */
const pullExpiresMs = 5_000;
const apiTimeoutMs = 3_000;

/**
 * Asks for as many messages as are worth a request. Whatever has arrived is kept alive, begun or not: waiting for
 * others costs no message its ack_wait.
 * Whatever goes wrong (server restarted, stream deleted, heartbeats missed) ends the request with an error,
 * and the next round sets up stream and consumer again.
 */
export function createPull(ctx: ConsumerContext, options: PullOptions): Pull {
  const { nats, processor, notifier } = options;
  const messages = { up: 'consumer works again', down: 'consumer cannot take messages' };
  const state = createStateLog(ctx.log, messages);
  let stopping = false;
  let consumer: JetStreamConsumer | undefined;
  let request: ConsumerMessages | undefined;
  let setUp: () => void;
  const firstTry = new Promise<void>((resolve) => {
    setUp = resolve;
  });

  const round = async (): Promise<void> => {
    consumer ??= await setUpConsumer(options);
    setUp();
    await ctx.availability.untilAvailable(notifier, () => stopping);
    const room = await processor.room();
    if (stopping) return;
    request = await consumer.fetch({ max_messages: room, expires: pullExpiresMs });
    await takeAll(request, ctx, (message) => {
      state.up();
      return stopping ? putBack(message, ctx) : processor.take(message);
    });
    state.up();
  };
  const loop = async (): Promise<void> => {
    for (let failures = 0; !stopping; failures += 1) {
      try {
        await round();
        failures = -1;
      } catch (error) {
        consumer = undefined;
        setUp();
        state.down(error);
        if (!stopping) await notifier.wait(backoffMs(retryBackoff, failures));
      }
    }
  };

  const forget = nats.onReconnect(() => {
    consumer = undefined;
    void request?.close();
    notifier.wake();
  });
  const ended = loop();
  return {
    firstTry,
    stop: async () => {
      stopping = true;
      forget();
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

/** Every message is kept alive from its arrival on, and begun in turn. Throws the last failure when all have been tried. */
async function takeAll(
  messages: ConsumerMessages,
  { inFlight }: ConsumerContext,
  take: (message: JsMsg) => Promise<void>,
): Promise<void> {
  let taken = Promise.resolve();
  let failure: unknown;
  try {
    for await (const message of messages) {
      inFlight.set(message, Date.now());
      taken = taken
        .then(() => take(message))
        .catch((error: unknown) => {
          failure = error;
          inFlight.delete(message);
        });
    }
  } finally {
    await taken;
  }
  if (failure !== undefined) throw failure;
}

async function putBack(message: JsMsg, { inFlight }: ConsumerContext): Promise<void> {
  inFlight.delete(message);
  message.nak();
}
