import { createNotifier } from '@bv/lifecycle';
import { createBatcher } from '@bv/resilience';
import type { DispatcherContext } from '../context.ts';
import type { LeasedDelivery } from '../db/leases.ts';
import { attempt, type AttemptContext, type AttemptOutcome } from './attempt.ts';
import { leaseDueDeliveries } from './lease.ts';
import { recordOutcomes } from './record-outcomes.ts';

export type Dispatcher = {
  /** False while deliveries cannot be leased from the database. */
  isWorking(): boolean;
  stop(): Promise<void>;
};

const maxOutcomesPerTransaction = 100;
/** Attempts that were leased together end close together. One transaction stores them, and their slots are leased together. */
const lingerMs = 5;
const failurePauseMs = 1_000;

/** Leases due deliveries and attempts them, at most `WEBHOOKS_PER_PROCESS` at a time, until stopped. */
export function startDispatcher(ctx: DispatcherContext): Dispatcher {
  const { config, log } = ctx;
  const stopping = new AbortController();
  const aborting = new AbortController();
  const notifier = createNotifier();
  const recordOutcome = createBatcher<AttemptOutcome, boolean>({
    maxBatchSize: maxOutcomesPerTransaction,
    maxInFlight: 1,
    lingerMs,
    send: (outcomes) => recordOutcomes(ctx, outcomes),
  });
  // A slot is free in this process and for the endpoint, so the loop need not wait for the next poll.
  const attempts = createAttempts({ ...ctx, recordOutcome }, aborting.signal, () => notifier.wake());
  let isWorking = true;
  const runLoop = async (): Promise<void> => {
    while (!stopping.signal.aborted) {
      try {
        const isMoreDue = await leaseAndStart(ctx, attempts);
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
  return {
    isWorking: () => isWorking,
    stop: async () => {
      stopping.abort();
      notifier.wake();
      await loop;
      const abortTimer = setTimeout(() => aborting.abort(), config.WEBHOOKS_STOP_GRACE_MS);
      await attempts.ended();
      clearTimeout(abortTimer);
    },
  };
}

/** Returns whether more may be due now: something was leased or postponed. */
async function leaseAndStart(ctx: DispatcherContext, attempts: Attempts): Promise<boolean> {
  const { config, metrics, log } = ctx;
  const free = config.WEBHOOKS_PER_PROCESS - attempts.count();
  if (free <= 0) return false;
  const slots = { free, byPartner: attempts.byPartner };
  const { deliveries, secrets, undecryptable, isFull } = await leaseDueDeliveries(ctx, slots);
  const allowed = deliveries.filter((delivery) => delivery.allowed);
  metrics.unlinked(deliveries.length - allowed.length);
  for (const delivery of allowed) {
    const own = secrets.get(delivery.endpoint_id);
    // Deliveries are never sent unsigned. An endpoint without secrets gets no slots.
    if (own !== undefined) attempts.start(delivery, own);
  }
  if (undecryptable.length > 0) {
    metrics.secretsUnavailable(undecryptable.length);
    log.error(
      { endpoints: undecryptable },
      'no key of WEBHOOKS_SECRET_KEYS decrypts the secrets of these endpoints; deliveries wait',
    );
  }
  return deliveries.length > 0 || undecryptable.length > 0 || isFull;
}

/** The attempts in flight in this process. */
type Attempts = {
  count(): number;
  /** The number of each partner that has any. */
  byPartner: ReadonlyMap<string, number>;
  start(delivery: LeasedDelivery, secrets: readonly string[]): void;
  ended(): Promise<unknown>;
};

function createAttempts(ctx: AttemptContext, stop: AbortSignal, onEnd: () => void): Attempts {
  const running = new Set<Promise<void>>();
  const byPartner = new Map<string, number>();
  const change = (partnerId: string, by: 1 | -1): void => {
    const count = (byPartner.get(partnerId) ?? 0) + by;
    if (count === 0) byPartner.delete(partnerId);
    else byPartner.set(partnerId, count);
    ctx.metrics.running(running.size);
  };
  return {
    count: () => running.size,
    byPartner,
    start: (delivery, secrets) => {
      const task = attempt(delivery, secrets, ctx, stop)
        .catch((error: unknown) => ctx.log.error({ err: error, delivery: delivery.id }, 'attempt failed'))
        .finally(() => {
          running.delete(task);
          change(delivery.partner_id, -1);
          onEnd();
        });
      running.add(task);
      change(delivery.partner_id, 1);
    },
    ended: () => Promise.all(running),
  };
}
