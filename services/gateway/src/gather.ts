type Waiting<Call, Answer> = {
  call: Call;
  resolve: (answer: Answer) => void;
  reject: (error: unknown) => void;
};

export type GatherOptions<Call, Answer> = {
  batchMax: number;
  /** Above it calls wait for a batch to end: with more under way each would carry one call, and cost as much. */
  inFlightMax: number;
  /** From the call to its answer, sent or not; `gather` makes the caller an error of it. */
  timeoutMs: number;
  /** The answers in the order of the calls; an Error among them fails that call, a rejection all of them. */
  send: (calls: readonly Call[]) => Promise<readonly (Answer | Error)[]>;
};

/**
 * Calls that come in one event-loop tick, or while enough batches are under way, go out as one. A call never joins
 * a batch that was sent: its answer is no older than its question.
 */
export function gather<Call, Answer>(options: GatherOptions<Call, Answer>): (call: Call) => Promise<Answer> {
  const { batchMax, inFlightMax, timeoutMs } = options;
  let waiting: Waiting<Call, Answer>[] = [];
  let scheduled = false;
  let inFlight = 0;
  const deadline = watchDeadline<Waiting<Call, Answer>>(timeoutMs, (late) => {
    waiting = waiting.filter((entry) => !late.has(entry));
    for (const { reject } of late) reject(new Error(`no answer within ${timeoutMs} ms`));
  });
  const sendWaiting = (): void => {
    scheduled = false;
    while (waiting.length > 0 && inFlight < inFlightMax) {
      const batch = waiting.splice(0, batchMax);
      inFlight += 1;
      void answer(batch, options.send).finally(() => {
        for (const entry of batch) deadline.forget(entry);
        inFlight -= 1;
        sendWaiting();
      });
    }
  };
  return (call) =>
    new Promise((resolve, reject) => {
      const entry = { call, resolve, reject };
      waiting.push(entry);
      deadline.watch(entry);
      if (scheduled || inFlight >= inFlightMax) return;
      scheduled = true;
      setImmediate(sendWaiting);
    });
}

type Deadline<Entry> = { watch(entry: Entry): void; forget(entry: Entry): void };

/** One timer for all: entries are late in the order in which they came. */
function watchDeadline<Entry>(
  timeoutMs: number,
  giveUp: (late: ReadonlySet<Entry>) => void,
): Deadline<Entry> {
  const lateAt = new Map<Entry, number>();
  let timer: NodeJS.Timeout | undefined;
  const look = (): void => {
    const now = performance.now();
    const late = new Set<Entry>();
    timer = undefined;
    for (const [entry, at] of lateAt) {
      if (at > now) {
        arm(at - now);
        break;
      }
      late.add(entry);
      lateAt.delete(entry);
    }
    if (late.size > 0) giveUp(late);
  };
  // Not before what has arrived was read: after a busy moment a timer fires first.
  const arm = (ms: number): void => {
    timer ??= setTimeout(() => setImmediate(() => setImmediate(look)), ms).unref();
  };
  return {
    watch: (entry) => {
      lateAt.set(entry, performance.now() + timeoutMs);
      arm(timeoutMs);
    },
    forget: (entry) => lateAt.delete(entry),
  };
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
