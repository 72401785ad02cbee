import { createNotifier } from '@bv/lifecycle';
import { batchPerTick, createBatcher } from '@bv/resilience';
import { writeLines } from '@bv/telemetry';
import { Mutex } from 'async-mutex';
import type { LeasedDelivery } from '../db/leases.ts';
import type { AttemptOutcome } from './attempt.ts';
import { Attempts } from './attempts.ts';
import { leaseDueDeliveries, returnUnsent } from './lease.ts';
import { recordOutcomes } from './record-outcomes.ts';
import type { DispatcherContext } from './dispatcher-context.ts';

export type Dispatcher = {
  /** False while deliveries cannot be leased from the database. */
  isWorking(): boolean;
  stop(): Promise<void>;
};

const maxOutcomesPerTransaction = 200;
/** Attempts that were leased together end close together. One transaction stores them, and their slots are leased together. */
const lingerMs = 5;
const failurePauseMs = 1_000;

/** Leases due deliveries and attempts them, at most `WEBHOOKS_PER_PROCESS` at a time, until stopped. */
export function startDispatcher(ctx: DispatcherContext): Dispatcher {
  const { config, log } = ctx;
  const stopping = new AbortController();
  const aborting = new AbortController();
  const notifier = createNotifier();
  // A lease skips the endpoints whose outcomes are being stored.
  const mutex = new Mutex();
  const recordOutcome = createBatcher<AttemptOutcome, boolean>({
    maxBatchSize: maxOutcomesPerTransaction,
    maxInFlight: 1,
    lingerMs,
    send: (outcomes) => mutex.runExclusive(() => recordOutcomes(ctx, outcomes)),
  });
  const addLine = batchPerTick<Parameters<typeof writeLines>[2][number]>((lines) =>
    writeLines(log, 'delivery attempted', lines),
  );
  const logAttempt = (fields: object): void => addLine({ level: 'info', atMs: Date.now(), fields });
  // A slot is free in this process and for the endpoint, so the loop need not wait for the next poll.
  const attempts = new Attempts({ ...ctx, recordOutcome, logAttempt }, aborting.signal, () =>
    notifier.wake(),
  );
  /** Kept until their leases are ended, because each expired lease counts as an attempt. */
  let unsent: LeasedDelivery[] = [];
  const returnAllUnsent = async (options?: { all: boolean }): Promise<void> => {
    unsent.push(...attempts.takeUnsent(options));
    await returnUnsent(ctx, unsent);
    unsent = [];
  };
  let isWorking = true;
  const runLoop = async (): Promise<void> => {
    while (!stopping.signal.aborted) {
      try {
        await returnAllUnsent();
        const isMoreDue = await mutex.runExclusive(() => leaseAndStart(ctx, attempts));
        isWorking = true;
        if (!isMoreDue) await notifier.wait(config.WEBHOOKS_POLL_MS);
      } catch (error) {
        if (isWorking) log.error({ err: error }, 'deliveries cannot be leased; retrying');
        isWorking = false;
        await notifier.wait(failurePauseMs);
      }
    }
  };
  const loop = runLoop();
  const returnAll = async (): Promise<void> => {
    try {
      await returnAllUnsent({ all: true });
    } catch (error) {
      log.error({ err: error }, 'unsent deliveries not returned; their leases will expire');
    }
  };
  return {
    isWorking: () => isWorking,
    stop: async () => {
      stopping.abort();
      notifier.wake();
      await loop;
      const abortTimer = setTimeout(() => aborting.abort(), config.WEBHOOKS_STOP_GRACE_MS);
      await Promise.all([returnAll(), attempts.ended()]);
      clearTimeout(abortTimer);
    },
  };
}

/** Returns whether more may be due now: endpoints were omitted or postponed. */
async function leaseAndStart(ctx: DispatcherContext, attempts: Attempts): Promise<boolean> {
  const { metrics, log } = ctx;
  const slots = attempts.takeSlots();
  if (slots === undefined) return false;
  const leased = await leaseDueDeliveries(ctx, { slots, endedTokens: attempts.endedTokens() });
  const { deliveries, undecryptable, isFull } = leased;
  metrics.unlinked(deliveries.filter(({ allowed }) => !allowed).length);
  attempts.add(leased);
  if (undecryptable.length > 0) {
    metrics.secretsUnavailable(undecryptable.length);
    log.error(
      { endpoints: undecryptable },
      'no key of WEBHOOKS_SECRET_KEYS decrypts the secrets of these endpoints; deliveries wait',
    );
  }
  return undecryptable.length > 0 || isFull;
}
