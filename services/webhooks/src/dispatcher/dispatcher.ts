import type { Pool } from '@bv/postgres';
import type { Logger } from '@bv/telemetry';
import type { Clock } from '../context.ts';
import type { LeasedDelivery } from '../db/leases.ts';
import { attempt } from './attempt.ts';
import { leaseDueDeliveries, type LeaseDeps } from './lease.ts';
import { createGroupCommit } from './group-commit.ts';
import { createNotifier, type Notifier, startInterval } from '@bv/lifecycle';
import type { DispatcherMetrics } from './metrics.ts';
import type { SendDeps } from './send.ts';
import { reencryptSecrets } from './reencrypt-secrets.ts';
import { recordOutcomes, type OutcomeDeps, type AttemptOutcome } from './record-outcomes.ts';
import { pruneOld, reclaimExpiredLeases } from './maintenance.ts';

export type DispatcherOptions = {
  pool: Pool;
  now: Clock;
  log: Logger;
  metrics: DispatcherMetrics;
  leasing: LeaseDeps;
  outcomes: OutcomeDeps;
  sending: SendDeps;
  concurrency: number;
  pollMs: number;
  reclaimMs: number;
  retentionMs: number;
  pruneMs: number;
  /** How long attempts in flight may continue after a stop. Then they are aborted. */
  stopGraceMs: number;
};

export type Dispatcher = {
  /** False while deliveries cannot be leased from the database. */
  isWorking(): boolean;
  stop(): Promise<void>;
};

const maxOutcomesPerTransaction = 100;
const failurePauseMs = 1_000;

/** Leases due deliveries and attempts them, at most `concurrency` at a time, until stopped. */
export function startDispatcher(options: DispatcherOptions): Dispatcher {
  const { log, metrics } = options;
  const stopController = new AbortController();
  const abortController = new AbortController();
  const running = new Set<Promise<void>>();
  const byPartner = new Map<string, number>();
  const notifier = createNotifier();
  const recordOutcome = createGroupCommit<AttemptOutcome, Set<string>>({
    maxGroup: maxOutcomesPerTransaction,
    work: (group) => recordOutcomes(options.outcomes, group),
  });
  const attempting = { ...options, recordOutcome, leaseMs: options.leasing.leaseMs };
  const health = { isWorking: true };

  const start = (delivery: LeasedDelivery, secrets: readonly string[]): void => {
    const task = attempt(delivery, secrets, attempting, abortController.signal)
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

  const loop = runLoop(options, {
    stopping: stopController.signal,
    notifier,
    running,
    byPartner,
    health,
    start,
  });
  const maintenance = startMaintenance(options, stopController.signal);
  return {
    isWorking: () => health.isWorking,
    stop: async () => {
      stopController.abort();
      notifier.wake();
      await loop;
      const abortTimer = setTimeout(() => abortController.abort(), options.stopGraceMs);
      await Promise.all(running);
      clearTimeout(abortTimer);
      await Promise.all(maintenance.map((interval) => interval.stop()));
    },
  };
}

function startMaintenance(
  options: DispatcherOptions,
  stopping: AbortSignal,
): ReturnType<typeof startInterval>[] {
  const { pool, now, log, metrics } = options;
  const warn = (error: unknown): void => log.warn({ err: error }, 'dispatcher maintenance failed');
  const reclaim = async (): Promise<void> => {
    metrics.leasesExpired(await reclaimExpiredLeases(options.outcomes));
  };
  const prune = async (): Promise<void> => {
    await pruneOld(pool, now, options.retentionMs, stopping);
  };
  const reencrypt = async (stopped: AbortSignal): Promise<void> => {
    const count = await reencryptSecrets(pool, options.leasing.encryptionKeys, stopped);
    if (count > 0) log.info({ count }, 'secrets of older keys re-encrypted with the first key');
  };
  return [
    startInterval(options.reclaimMs, reclaim, warn, { retryMs: failurePauseMs }),
    startInterval(options.pruneMs, prune, warn),
    startInterval(options.pruneMs, reencrypt, warn),
  ];
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

async function runLoop(options: DispatcherOptions, state: LoopState): Promise<void> {
  const { concurrency, pollMs, log } = options;
  const { stopping, notifier, running, health } = state;
  while (!stopping.aborted) {
    const free = concurrency - running.size;
    try {
      const busy = free > 0 && (await leaseAndStart(options, state, free));
      health.isWorking = true;
      if (!busy) await notifier.wait(pollMs);
    } catch (error) {
      if (health.isWorking) log.error({ err: error }, 'deliveries cannot be leased; retrying');
      health.isWorking = false;
      await notifier.wait(failurePauseMs);
    }
  }
}

/** Returns whether more may be due now: something was leased or postponed. */
async function leaseAndStart(options: DispatcherOptions, state: LoopState, free: number): Promise<boolean> {
  const { metrics, leasing, log } = options;
  const { deliveries, secrets, undecryptable, isFull } = await leaseDueDeliveries(leasing, {
    free,
    byPartner: state.byPartner,
  });
  const allowed = deliveries.filter((delivery) => delivery.allowed);
  metrics.unlinked(deliveries.length - allowed.length);
  for (const delivery of allowed) {
    const own = secrets.get(delivery.endpoint_id);
    // Deliveries are never sent unsigned. An endpoint without secrets gets no grant.
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
