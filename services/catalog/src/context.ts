import type { Nats } from '@bv/events';
import type { CursorCodec } from '@bv/pagination';
import type { Pool } from '@bv/postgres';
import type { PromptQueue } from './commands/prompt-lock.ts';
import type { SyncSlots } from './commands/sync-batches.ts';
import type { CatalogMetrics } from './telemetry.ts';
import type { CommonWords } from './word-lists/common-words.ts';

/** Dependencies of the handlers. */
export type Context = {
  pool: Pool;
  nats: Nats;
  cursors: CursorCodec;
  /** Country codes that are scanned. */
  markets: ReadonlySet<string>;
  metrics: CatalogMetrics;
  commonWords: CommonWords;
  promptQueue: PromptQueue;
  syncSlots: SyncSlots;
  /** The current time; injected so that tests can choose the month. */
  now: () => Date;
};
