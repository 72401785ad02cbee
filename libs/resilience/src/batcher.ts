type PendingCall<Call, Reply> = {
  call: Call;
  /** On the monotonic clock. */
  deadlineAt: number;
  resolve: (reply: Reply) => void;
  reject: (error: unknown) => void;
};

type BatcherOptions<Call, Reply> = {
  maxBatchSize: number;
  /** At this number of batches in flight calls wait: more batches would carry one call each, at the cost of a full one. */
  maxInFlight: number;
  /** Time that the first call waits for others while no batch is in flight; none by default. */
  lingerMs?: number;
  /** Maximum time that calls wait for the batch in flight before another one is sent, up to `maxInFlight`. */
  maxDelayMs?: number;
  /** Time from the call to its reply, whether it was sent or not. Then the call rejects. None by default. */
  timeoutMs?: number;
  /** Returns the replies in the order of the calls. An Error among them rejects that call, a rejection all of them. */
  send: (calls: readonly Call[]) => Promise<readonly (Reply | Error)[]>;
};

/**
 * Combines calls into batches (DataLoader pattern): calls of the same tick, and calls that arrive while a batch is in
 * flight. A call never joins a batch that was sent, so its reply is never older than the call.
 *
 * Arrays hold the calls instead of a Map or Set. When one of those grows, its old table points to the new one. Old tables
 * that were promoted to V8's old generation would keep all later entries alive.
 */
export function createBatcher<Call, Reply>(
  options: BatcherOptions<Call, Reply>,
): (call: Call) => Promise<Reply> {
  const { maxBatchSize, maxInFlight, lingerMs = 0, maxDelayMs = 0, timeoutMs = Infinity } = options;
  let queue: PendingCall<Call, Reply>[] = [];
  const inFlight: PendingCall<Call, Reply>[][] = [];
  let scheduled = false;
  let delay: NodeJS.Timeout | undefined;
  const sendQueue = (): void => {
    scheduled = false;
    clearTimeout(delay);
    delay = undefined;
    while (queue.length > 0 && inFlight.length < maxInFlight) {
      const batch = queue.splice(0, maxBatchSize);
      inFlight.push(batch);
      void sendBatch(batch, options.send).finally(() => {
        inFlight.splice(inFlight.indexOf(batch), 1);
        if (queue.length > 0) schedule();
      });
    }
  };
  const schedule = (): void => {
    if (scheduled || inFlight.length >= maxInFlight) return;
    if (inFlight.length > 0) return void (delay ??= setTimeout(sendQueue, maxDelayMs));
    scheduled = true;
    if (lingerMs > 0) return void setTimeout(sendQueue, lingerMs);
    // After the current callback, so that the batch contains all calls of it.
    process.nextTick(sendQueue);
  };
  const watchDeadline = createDeadlineTimer((now) => {
    const pending = [...inFlight.flat(), ...queue];
    for (const { deadlineAt, reject } of pending) {
      if (deadlineAt <= now) reject(new Error(`no reply within ${timeoutMs} ms`));
    }
    queue = queue.filter(({ deadlineAt }) => deadlineAt > now);
    return pending.find(({ deadlineAt }) => deadlineAt > now)?.deadlineAt;
  });
  return (call) =>
    new Promise((resolve, reject) => {
      const deadlineAt = performance.now() + timeoutMs;
      queue.push({ call, deadlineAt, resolve, reject });
      if (deadlineAt < Infinity) watchDeadline(deadlineAt);
      schedule();
    });
}

/** One timer for all calls. `rejectExpired` rejects calls whose deadline has passed, and returns the next deadline. */
function createDeadlineTimer(
  rejectExpired: (now: number) => number | undefined,
): (deadlineAt: number) => void {
  let timer: NodeJS.Timeout | undefined;
  const onTimer = (): void => {
    timer = undefined;
    const next = rejectExpired(performance.now());
    if (next !== undefined) watchDeadline(next);
  };
  const watchDeadline = (deadlineAt: number): void => {
    // Node warns about negative timeouts.
    const inMs = Math.max(1, deadlineAt - performance.now());
    // Two ticks later, so that replies that have arrived are read first: after a busy period timers run before sockets.
    timer ??= setTimeout(() => setImmediate(() => setImmediate(onTimer)), inMs).unref();
  };
  return watchDeadline;
}

async function sendBatch<Call, Reply>(
  batch: readonly PendingCall<Call, Reply>[],
  send: BatcherOptions<Call, Reply>['send'],
): Promise<void> {
  try {
    const replies = await send(batch.map(({ call }) => call));
    for (const [index, { resolve, reject }] of batch.entries()) {
      const reply = replies[index];
      if (reply instanceof Error) reject(reply);
      else resolve(reply as Reply);
    }
  } catch (error) {
    for (const { reject } of batch) reject(error);
  }
}
