import type { CursorCodec } from '@bv/cursor';
import type { Nats, Relay } from '@bv/events';
import type { Pool } from '@bv/postgres';
import type { Usage } from '../access/usage.ts';
import type { Pepper } from '../domain/api-key.ts';

/** What the gateway's own operations may use. */
export type OperationsContext = {
  pool: Pool;
  nats: Nats;
  relay: Relay;
  cursors: CursorCodec;
  usage: Usage;
  peppers: readonly Pepper[];
};
