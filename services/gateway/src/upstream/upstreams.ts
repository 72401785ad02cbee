import { setTimeout as sleep } from 'node:timers/promises';
import type { ServiceName } from '@bv/contract';
import { Pool } from 'undici';
import { ResponseHandler, UpstreamFailure } from './response-handler.ts';
import type { Delivery, UpstreamResponse, UpstreamRequest } from './response-handler.ts';

export type Upstreams = {
  /** Streams the response to `delivery.target`, or buffers it. Throws `UpstreamFailure`, and errors of `target`. */
  deliver(service: ServiceName, request: UpstreamRequest, delivery: Delivery): Promise<UpstreamResponse>;
  close(): Promise<void>;
};

const connectTimeoutMs = 1_000;
const closeTimeoutMs = 3_000;
const connections = 128;
/** Above this a service is considered unavailable: a longer queue would only delay every request. */
const maxInFlight = 1_024;

/** One pool of keep-alive connections for each service, so that a failed service affects only its own paths. */
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
        if (!canRetry(error, request)) throw error;
        return await dispatch(upstream.pool, request, delivery);
      } finally {
        upstream.inFlight -= 1;
      }
    },
    close: async () => {
      const pools = [...upstreams.values()].map(({ pool }) => pool);
      // Writes whose client has disconnected are still in flight.
      await Promise.race([
        Promise.all(pools.map((pool) => pool.close())),
        sleep(closeTimeoutMs, undefined, { ref: false }),
      ]);
      await Promise.all(pools.map((pool) => pool.destroy()));
    },
  };
}

/** Whether nothing of the request was sent: a write is never sent twice. A streamed body cannot be sent again either. */
function canRetry(error: unknown, { body }: UpstreamRequest): boolean {
  const unsent = error instanceof UpstreamFailure && !error.sent && error.reason === 'connection';
  return unsent && (body === null || Buffer.isBuffer(body));
}

function dispatch(pool: Pool, request: UpstreamRequest, delivery: Delivery): Promise<UpstreamResponse> {
  const { method, path, headers, body } = request;
  // 0 disables them: undici keeps timers for half a second, so that V8 would promote them to the old generation (ADR 6).
  const { idleTimeoutMs = 0 } = delivery;
  const timeouts = { headersTimeout: idleTimeoutMs, bodyTimeout: idleTimeoutMs };
  return new Promise((resolve, reject) => {
    const handler = new ResponseHandler(delivery, resolve, reject);
    pool.dispatch({ method, path, headers, body, ...timeouts }, handler);
  });
}
