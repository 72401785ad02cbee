import { setTimeout as sleep } from 'node:timers/promises';
import { ApiError } from '@bv/contract';
import { connectNats, orgChanged, serveDeadEvents, startConsumer, startRelay } from '@bv/events';
import type { Nats, Relay } from '@bv/events';
import type { Pool } from '@bv/postgres';
import type { Logger, Metrics } from '@bv/telemetry';
import { onOrgChanged } from './on-org-changed.ts';

const service = 'gateway';
const retryMs = 1_000;

type MessagingOptions = { url: string; pool: Pool; log: Logger; metrics: Metrics };

/** Relay and consumers. The public API needs none of it, so the gateway serves before NATS is there. */
export type Messaging = {
  /** Refuses with 503 while NATS has not been reached yet. */
  nats(): Nats;
  /** The outbox has something to send; without NATS it stays there. */
  kick(): void;
  /** Resolves when everything has joined, or after the time. */
  firstReady(waitMs: number): Promise<void>;
  stop(): Promise<void>;
};

export function startMessaging(options: MessagingOptions): Messaging {
  const stopping = new AbortController();
  const joining = new Joining(options, stopping.signal);
  const joined = joining.run();
  return {
    nats: () => {
      if (joining.nats === undefined) throw new ApiError('api_unavailable');
      return joining.nats;
    },
    kick: () => joining.relay?.kick(),
    firstReady: (waitMs) => Promise.race([joined, sleep(waitMs, undefined, { ref: false })]),
    stop: async () => {
      stopping.abort();
      await joined;
      await joining.leave();
    },
  };
}

class Joining {
  nats: Nats | undefined;
  relay: Relay | undefined;
  readonly #options: MessagingOptions;
  readonly #signal: AbortSignal;
  #closers: (() => unknown)[] = [];

  constructor(options: MessagingOptions, signal: AbortSignal) {
    this.#options = options;
    this.#signal = signal;
  }

  /** Tries until it has joined or is told to stop; never rejects. */
  async run(): Promise<void> {
    while (!this.#signal.aborted) {
      try {
        return await this.#join();
      } catch (error) {
        if (this.#signal.aborted) return;
        this.#options.log.warn({ err: error }, 'events cannot be joined yet; trying again');
        await this.leave();
        await sleep(retryMs, undefined, { signal: this.#signal }).catch(() => undefined);
      }
    }
  }

  async #join(): Promise<void> {
    const { url, pool, log, metrics } = this.#options;
    const nats = await connectNats({ url, name: service, log, signal: this.#signal });
    this.#closers.push(() => nats.close());
    this.nats = nats;
    const common = { pool, nats, service, log, metrics };
    const relay = await startRelay(common);
    this.#closers.push(() => relay.stop());
    this.relay = relay;
    const deadEvents = serveDeadEvents({ ...common, relay });
    this.#closers.push(() => deadEvents.stop());
    const handlers = { [orgChanged.type]: onOrgChanged };
    const consumer = await startConsumer({ ...common, source: 'catalog', handlers });
    this.#closers.push(() => consumer.stop());
  }

  /** In reverse order; one that fails does not keep the others open. */
  async leave(): Promise<void> {
    const closers = this.#closers.toReversed();
    this.#closers = [];
    this.nats = undefined;
    this.relay = undefined;
    for (const close of closers) {
      try {
        await close();
      } catch (error) {
        this.#options.log.warn({ err: error }, 'a part of messaging did not close');
      }
    }
  }
}
