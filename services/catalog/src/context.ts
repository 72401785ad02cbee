import type { CursorCodec } from '@bv/cursor';
import type { Pool } from '@bv/postgres';
import type { PromptWriteQueue } from './commands/prompt-write-queue.ts';
import type { SyncSlots } from './commands/sync-steps.ts';
import type { CatalogMetrics } from './telemetry.ts';

/** Dependencies of the handlers. */
export type Context = {
  pool: Pool;
  cursors: CursorCodec;
  /** Country codes that are scanned. */
  markets: ReadonlySet<string>;
  metrics: CatalogMetrics;
  promptWrites: PromptWriteQueue;
  syncSlots: SyncSlots;
  /** The current time; injected so that tests can choose the month. */
  now: () => Date;
};
