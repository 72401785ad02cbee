import type { CursorCodec } from '@bv/cursor';
import type { Nats } from '@bv/events';
import type { Pool } from '@bv/postgres';

/** Dependencies of the HTTP handlers. */
export type Context = {
  pool: Pool;
  nats: Nats;
  cursors: CursorCodec;
  /** The current time; injected so that tests can set it. */
  now: () => Date;
};
