export type PendingReleases = {
  /** Runs the action. If it fails, `retry` is enqueued for the acquired key and the error is thrown. */
  runOrEnqueue(attemptId: string, action: () => Promise<void>, retry?: () => Promise<void>): Promise<void>;
  enqueue(attemptId: string, action: () => Promise<void>): void;
  /** Runs the pending actions, oldest first. Rejects at the first failure. */
  flush(): Promise<void>;
  /** Runs the pending action of one acquired key. Returns false if there is none. */
  flushOne(attemptId: string): Promise<boolean>;
};

/** Further keys are released when their lease ends, as after a crash of the gateway. */
const maxPending = 10_000;

/**
 * Releases of idempotency keys that failed because the database was unavailable. Without them a retry would get
 * `idempotency_key_in_flight` until the lease ends. Entries do not expire: a database that hung can acquire a key long
 * after the statement was sent, and its lease starts only then.
 */
export function createPendingReleases(): PendingReleases {
  const pending = new Map<string, () => Promise<void>>();
  const enqueue = (attemptId: string, action: () => Promise<void>): void => {
    if (pending.size < maxPending) pending.set(attemptId, action);
  };
  const flushOne = async (attemptId: string): Promise<boolean> => {
    const action = pending.get(attemptId);
    if (action === undefined) return false;
    await action();
    pending.delete(attemptId);
    return true;
  };
  return {
    enqueue,
    runOrEnqueue: async (attemptId, action, retry = action) => {
      try {
        await action();
      } catch (error) {
        enqueue(attemptId, retry);
        throw error;
      }
    },
    flush: async () => {
      for (const attemptId of pending.keys()) await flushOne(attemptId);
    },
    flushOne,
  };
}
