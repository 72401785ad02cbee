import { setTimeout as sleep } from 'node:timers/promises';
import type { ServiceName } from '@bv/contract';
import { Pool } from 'undici';
import { AnswerHandler, UpstreamFailure } from './answer-handler.ts';
import type { Delivery, UpstreamAnswer, UpstreamRequest } from './answer-handler.ts';

export type Upstreams = {
  /** Streams the answer to where `target` says, or buffers it where that is undefined. */
  deliver(service: ServiceName, request: UpstreamRequest, delivery: Delivery): Promise<UpstreamAnswer>;
  close(): Promise<void>;
};

const connectTimeoutMs = 1_000;
const closeTimeoutMs = 3_000;
const connections = 128;
/** Beyond this a service is not slow but gone; a queue would only make everybody late. */
const maxInFlight = 1_024;

/** One pool of kept-alive connections a service, so that a dead service costs only its own paths. */
export function createUpstreams(origins: Readonly<Record<ServiceName, string>>): Upstreams {
  const entries = Object.entries(origins) as [ServiceName, string][];
  const upstreams = new Map(
    entries.map(([service, origin]) => {
      const pool = new Pool(origin, {
        connections,
        pipelining: 1,
        connect: { timeout: connectTimeoutMs },
      });
      return [service, { pool, inFlight: 0 }];
    }),
  );
  return {
    deliver: async (service, request, delivery) => {
      const upstream = upstreams.get(service);
      if (upstream === undefined) throw new Error(`no upstream ${service}`);
      if (upstream.inFlight >= maxInFlight) throw new UpstreamFailure('busy', false);
      upstream.inFlight += 1;
      try {
        return await dispatch(upstream.pool, request, delivery);
      } catch (error) {
        if (!mayBeSentAgain(error, request)) throw error;
        return await dispatch(upstream.pool, request, delivery);
      } finally {
        upstream.inFlight -= 1;
      }
    },
    close: async () => {
      const pools = [...upstreams.values()].map(({ pool }) => pool);
      // Writes whose client has left are still under way.
      await Promise.race([
        Promise.all(pools.map((pool) => pool.close())),
        sleep(closeTimeoutMs, undefined, { ref: false }),
      ]);
      await Promise.all(pools.map((pool) => pool.destroy()));
    },
  };
}

/** Whether not a byte of it went out: no write may ever be sent twice. A body that streams is gone with the first try. */
function mayBeSentAgain(error: unknown, { body }: UpstreamRequest): boolean {
  const unsent = error instanceof UpstreamFailure && !error.sent && error.reason === 'connection';
  return unsent && (body === null || Buffer.isBuffer(body));
}

function dispatch(pool: Pool, request: UpstreamRequest, delivery: Delivery): Promise<UpstreamAnswer> {
  const { method, path, headers, body } = request;
  // 0 is none: undici keeps the timers of a request for half a second after it, so that they grow old.
  const { silenceMs = 0 } = delivery;
  const timeouts = { headersTimeout: silenceMs, bodyTimeout: silenceMs };
  return new Promise((resolve, reject) => {
    const handler = new AnswerHandler(delivery, resolve, reject);
    pool.dispatch({ method, path, headers, body, ...timeouts }, handler);
  });
}
