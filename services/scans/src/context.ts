import type { Nats } from '@bv/events';
import type { Pool } from '@bv/postgres';

/** Dependencies of the handlers and the scheduler. */
export type Context = {
  pool: Pool;
  nats: Nats;
  /** The current time; injected so that tests can set it. */
  now: () => Date;
  /** Call after a commit that queued a scan: the worker and the relay of this process poll at once. */
  onQueued: () => void;
};
