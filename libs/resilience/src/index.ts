export { backoffMs } from './backoff.ts';
export type { Backoff } from './backoff.ts';
export { createBatchBuffer } from './batch-buffer.ts';
export { batchPerTick } from './batch-per-tick.ts';
export { createBatcher } from './batcher.ts';
export { parseRetryAfter } from './retry-after.ts';
