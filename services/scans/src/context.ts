import type { Nats } from '@bv/events';
import type { Pool } from '@bv/postgres';

/** Dependencies of the handlers and the scheduler. */
export type Context = {
  pool: Pool;
  nats: Nats;
  /** The current time; injected so that tests can set it. */
  now: () => Date;
  /** For the commit of a queued scan: the worker of this process polls at once. */
  wakeWorker: () => void;
};
