import type { Nats } from '@bv/events';
import type { Pool } from '@bv/postgres';

/** What the handlers and the scheduler of this service may use. */
export type Context = {
  pool: Pool;
  nats: Nats;
  /** The current time; injected so that tests can stand at midnight. */
  now: () => Date;
  /** Call after a commit that queued a scan: the workers and the relay of this process look at once. */
  onQueued: () => void;
};
