import type { Methodology } from '@bv/contract';
import type { Nats } from '@bv/events';
import type { Pool } from '@bv/postgres';
import type { Logger } from '@bv/telemetry';
import type { ScanMetrics } from './telemetry.ts';

/** Dependencies of the routes and the periodic jobs. */
export type Context = {
  pool: Pool;
  nats: Nats;
  log: Logger;
  metrics: ScanMetrics;
  cadence: Methodology['cadence'];
  /** The current time; injected so that tests can set it. */
  now: () => Date;
  /** For the commit of a queued scan: the worker of this process polls at once. */
  wakeWorker: () => void;
};
