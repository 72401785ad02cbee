type Waiting<Call, Answer> = {
  call: Call;
  resolve: (answer: Answer) => void;
  reject: (error: unknown) => void;
  givenUp: boolean;
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
  const sendWaiting = (): void => {
    scheduled = false;
    while (waiting.length > 0 && inFlight < inFlightMax) {
      waiting = waiting.filter(({ givenUp }) => !givenUp);
      const batch = waiting.splice(0, batchMax);
      if (batch.length === 0) return;
      inFlight += 1;
      void answer(batch, options.send).finally(() => {
        inFlight -= 1;
        sendWaiting();
      });
    }
  };
  return (call) =>
    new Promise((resolve, reject) => {
      const entry: Waiting<Call, Answer> = { call, resolve, reject, givenUp: false };
      const giveUp = (): void => {
        entry.givenUp = true;
        reject(new Error(`no answer within ${timeoutMs} ms`));
      };
      // Not before what has arrived was read: after a busy moment a timer fires first.
      const timer = setTimeout(() => setImmediate(() => setImmediate(giveUp)), timeoutMs);
      entry.resolve = (value) => {
        clearTimeout(timer);
        resolve(value);
      };
      entry.reject = (error) => {
        clearTimeout(timer);
        reject(error);
      };
      waiting.push(entry);
      if (scheduled || inFlight >= inFlightMax) return;
      scheduled = true;
      setImmediate(sendWaiting);
    });
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
