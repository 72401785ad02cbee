import type { CursorCodec } from '@bv/cursor';
import type { Nats } from '@bv/events';
import type { Pool } from '@bv/postgres';

/** What the handlers of this service may use. */
export type Context = {
  pool: Pool;
  nats: Nats;
  cursors: CursorCodec;
  /** The current time; injected so that tests can stand at midnight. */
  now: () => Date;
  /** Call after a commit that published: the relay of this process looks at once. */
  onPublished: () => void;
};
