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
/** The other connections to a process that has died break within this time. */
const repeatDelayMs = 20;
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

/**
 * Whether a request whose connection broke may be sent again: a read always, a write only if nothing of it was sent. A
 * streamed body cannot be sent twice.
 */
function isRepeatable({ method, body }: UpstreamRequest, sent: boolean): boolean {
  const isSafe = method === 'GET' || method === 'HEAD';
  return (isSafe || !sent) && (body === null || Buffer.isBuffer(body));
}

/** Sends the request, and once more if its connection breaks before the response starts. */
function dispatch(pool: Pool, request: UpstreamRequest, delivery: Delivery): Promise<UpstreamResponse> {
  const { method, path, headers, body } = request;
  // 0 disables them: undici keeps timers for half a second, so that V8 would promote them to the old generation (ADR 6).
  const { idleTimeoutMs = 0 } = delivery;
  const timeouts = { headersTimeout: idleTimeoutMs, bodyTimeout: idleTimeoutMs };
  return new Promise((resolve, reject) => {
    let isRepeated = false;
    const repeat = (sent: boolean): boolean => {
      if (isRepeated || !isRepeatable(request, sent)) return false;
      isRepeated = true;
      setTimeout(send, repeatDelayMs);
      return true;
    };
    const handler = new ResponseHandler(delivery, repeat, resolve, reject);
    const send = () => pool.dispatch({ method, path, headers, body, ...timeouts }, handler);
    send();
  });
}
