import type { CursorCodec } from '@bv/cursor';
import type { Pool } from '@bv/postgres';
import type { Usage } from '../access/usage.ts';
import type { Pepper } from '../domain/api-key.ts';
import type { Messaging } from '../events/messaging.ts';

/** Dependencies of the gateway's own operations. */
export type OperationsContext = {
  pool: Pool;
  messaging: Messaging;
  cursors: CursorCodec;
  usage: Usage;
  peppers: readonly Pepper[];
};
