import type { Nats } from '@bv/events';
import type { CursorCodec } from '@bv/pagination';
import type { Pool } from '@bv/postgres';
import { toDay } from './domain/calendar.ts';

/** Dependencies of the HTTP handlers. */
export type Context = {
  pool: Pool;
  nats: Nats;
  cursors: CursorCodec;
  /** The current time; injected so that tests can set it. */
  now: () => Date;
  /** For the commit of a queued reprocess job: the worker of this process polls at once. */
  wakeWorker: () => void;
};

/** The current day in UTC, as YYYY-MM-DD. */
export const getToday = ({ now }: Context): string => toDay(now());
