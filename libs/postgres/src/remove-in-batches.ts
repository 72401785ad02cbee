/** Bounds one run: what is left goes with the next. */
const maxBatches = 1_000;

/**
 * Removes old rows in short batches, each in its own transaction: `removeBatch` runs one
 * statement on the pool, removes at most `limit` rows and answers how many. Ends with the first batch that is not
 * full, when `stopping` aborts (a batch that has begun is finished), or after 1,000 batches. Returns how many rows went.
 * An error of `removeBatch` is thrown on; what went before stays gone.
 */
export async function removeInBatches(
  batchSize: number,
  removeBatch: (limit: number) => Promise<number>,
  stopping: AbortSignal,
): Promise<number> {
  let removed = 0;
  for (let batch = 0; batch < maxBatches && !stopping.aborted; batch += 1) {
    const count = await removeBatch(batchSize);
    removed += count;
    if (count < batchSize) break;
  }
  return removed;
}
