import { createNotifier, type Notifier } from '@bv/lifecycle';
import { createBatcher } from '@bv/resilience';
import type { DispatcherContext } from '../context.ts';
import type { LeasedDelivery } from '../db/leases.ts';
import { attempt, type AttemptOutcome } from './attempt.ts';
import { leaseDueDeliveries } from './lease.ts';
import { recordOutcomes } from './record-outcomes.ts';

export type Dispatcher = {
  /** False while deliveries cannot be leased from the database. */
  isWorking(): boolean;
  stop(): Promise<void>;
};

const maxOutcomesPerTransaction = 100;
const failurePauseMs = 1_000;

/** Leases due deliveries and attempts them, at most `WEBHOOKS_PER_PROCESS` at a time, until stopped. */
export function startDispatcher(ctx: DispatcherContext): Dispatcher {
  const { config, log, metrics } = ctx;
  const stopController = new AbortController();
  const abortController = new AbortController();
  const running = new Set<Promise<void>>();
  const byPartner = new Map<string, number>();
  const notifier = createNotifier();
  const recordOutcome = createBatcher<AttemptOutcome, boolean>({
    maxBatchSize: maxOutcomesPerTransaction,
    maxInFlight: 1,
    send: (outcomes) => recordOutcomes(ctx, outcomes),
  });
  const attemptContext = { ...ctx, recordOutcome };
  const health = { isWorking: true };

  const start = (delivery: LeasedDelivery, secrets: readonly string[]): void => {
    const task = attempt(delivery, secrets, attemptContext, abortController.signal)
      .catch((error: unknown) => log.error({ err: error, delivery: delivery.id }, 'attempt failed'))
      .finally(() => {
        running.delete(task);
        changePartnerSlots(byPartner, delivery.partner_id, -1);
        metrics.running(running.size);
        // A slot is free in this process and for the endpoint, so the loop need not wait for the next poll.
        notifier.wake();
      });
    running.add(task);
    changePartnerSlots(byPartner, delivery.partner_id, 1);
    metrics.running(running.size);
  };

  const loop = runLoop(ctx, {
    stopping: stopController.signal,
    notifier,
    running,
    byPartner,
    health,
    start,
  });
  return {
    isWorking: () => health.isWorking,
    stop: async () => {
      stopController.abort();
      notifier.wake();
      await loop;
      const abortTimer = setTimeout(() => abortController.abort(), config.WEBHOOKS_STOP_GRACE_MS);
      await Promise.all(running);
      clearTimeout(abortTimer);
    },
  };
}

function changePartnerSlots(byPartner: Map<string, number>, partnerId: string, change: 1 | -1): void {
  const slots = (byPartner.get(partnerId) ?? 0) + change;
  if (slots === 0) byPartner.delete(partnerId);
  else byPartner.set(partnerId, slots);
}

type LoopState = {
  stopping: AbortSignal;
  notifier: Notifier;
  running: Set<Promise<void>>;
  /** Attempts in flight of each partner that has any. */
  byPartner: ReadonlyMap<string, number>;
  health: { isWorking: boolean };
  start: (delivery: LeasedDelivery, secrets: readonly string[]) => void;
};

async function runLoop(ctx: DispatcherContext, state: LoopState): Promise<void> {
  const { config, log } = ctx;
  const { stopping, notifier, running, health } = state;
  while (!stopping.aborted) {
    const free = config.WEBHOOKS_PER_PROCESS - running.size;
    try {
      const busy = free > 0 && (await leaseAndStart(ctx, state, free));
      health.isWorking = true;
      if (!busy) await notifier.wait(config.WEBHOOKS_POLL_MS);
    } catch (error) {
      if (health.isWorking) log.error({ err: error }, 'deliveries cannot be leased; retrying');
      health.isWorking = false;
      await notifier.wait(failurePauseMs);
    }
  }
}

/** Returns whether more may be due now: something was leased or postponed. */
async function leaseAndStart(ctx: DispatcherContext, state: LoopState, free: number): Promise<boolean> {
  const { metrics, log } = ctx;
  const { deliveries, secrets, undecryptable, isFull } = await leaseDueDeliveries(ctx, {
    free,
    byPartner: state.byPartner,
  });
  const allowed = deliveries.filter((delivery) => delivery.allowed);
  metrics.unlinked(deliveries.length - allowed.length);
  for (const delivery of allowed) {
    const own = secrets.get(delivery.endpoint_id);
    // Deliveries are never sent unsigned. An endpoint without secrets gets no slots.
    if (own !== undefined) state.start(delivery, own);
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
