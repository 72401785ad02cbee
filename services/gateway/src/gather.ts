type Waiting<Call, Answer> = {
  call: Call;
  /** On the monotonic clock. */
  lateAt: number;
  resolve: (answer: Answer) => void;
  reject: (error: unknown) => void;
};

export type GatherOptions<Call, Answer> = {
  batchMax: number;
  /** Above it calls wait for a batch to end: with more under way each would carry one call, and cost as much. */
  inFlightMax: number;
  /** How long calls wait for the batch under way before another goes out beside it, up to the most. */
  patienceMs?: number;
  /** From the call to its answer, sent or not; `gather` makes the caller an error of it. */
  timeoutMs: number;
  /** The answers in the order of the calls; an Error among them fails that call, a rejection all of them. */
  send: (calls: readonly Call[]) => Promise<readonly (Answer | Error)[]>;
};

/**
 * Calls that one callback leads to, or that come while a batch is under way, go out as one. A call never joins
 * a batch that was sent: its answer is no older than its question.
 *
 * Arrays hold the calls, not a Map or Set: each time one of those has made room anew, its old table points to the
 * new one, so that tables that have become old garbage keep all that ever was in later ones.
 */
export function gather<Call, Answer>(options: GatherOptions<Call, Answer>): (call: Call) => Promise<Answer> {
  const { batchMax, inFlightMax, patienceMs = 0, timeoutMs } = options;
  let waiting: Waiting<Call, Answer>[] = [];
  const underWay: Waiting<Call, Answer>[][] = [];
  let scheduled = false;
  let patience: NodeJS.Timeout | undefined;
  const sendWaiting = (): void => {
    scheduled = false;
    clearTimeout(patience);
    patience = undefined;
    while (waiting.length > 0 && underWay.length < inFlightMax) {
      const batch = waiting.splice(0, batchMax);
      underWay.push(batch);
      void answer(batch, options.send).finally(() => {
        underWay.splice(underWay.indexOf(batch), 1);
        if (waiting.length > 0) schedule();
      });
    }
  };
  const schedule = (): void => {
    if (scheduled || underWay.length >= inFlightMax) return;
    if (underWay.length > 0) return void (patience ??= setTimeout(sendWaiting, patienceMs));
    scheduled = true;
    // With all that one answer, or one turn's requests, lead to.
    process.nextTick(sendWaiting);
  };
  const watch = watchDeadlines((now) => {
    const open = [...underWay.flat(), ...waiting];
    for (const { lateAt, reject } of open) {
      if (lateAt <= now) reject(new Error(`no answer within ${timeoutMs} ms`));
    }
    waiting = waiting.filter(({ lateAt }) => lateAt > now);
    return open.find(({ lateAt }) => lateAt > now)?.lateAt;
  });
  return (call) =>
    new Promise((resolve, reject) => {
      const lateAt = performance.now() + timeoutMs;
      waiting.push({ call, lateAt, resolve, reject });
      watch(lateAt);
      schedule();
    });
}

/** One timer for all. `giveUp` ends what is late at a time, and tells when the next will be. */
function watchDeadlines(giveUp: (now: number) => number | undefined): (lateAt: number) => void {
  let timer: NodeJS.Timeout | undefined;
  const look = (): void => {
    timer = undefined;
    const next = giveUp(performance.now());
    if (next !== undefined) watch(next);
  };
  const watch = (lateAt: number): void => {
    // Of a time that is over already Node warns.
    const inMs = Math.max(1, lateAt - performance.now());
    // Not before what has arrived was read: after a busy moment a timer fires first.
    timer ??= setTimeout(() => setImmediate(() => setImmediate(look)), inMs).unref();
  };
  return watch;
}

async function answer<Call, Answer>(
  batch: readonly Waiting<Call, Answer>[],
  send: GatherOptions<Call, Answer>['send'],
): Promise<void> {
  try {
    const answers = await send(batch.map(({ call }) => call));
    for (const [index, { resolve, reject }] of batch.entries()) {
      const value = answers[index];
      if (value instanceof Error) reject(value);
      else resolve(value as Answer);
    }
  } catch (error) {
    for (const { reject } of batch) reject(error);
  }
}
