import type { Pool } from '@bv/postgres';
import type { Logger } from '@bv/telemetry';
import type { Clock } from '../context.ts';
import type { Claimed } from '../db/claims.ts';
import { attempt } from './attempt.ts';
import { claim, type ClaimDeps } from './claim.ts';
import { createGroupCommit } from './group-commit.ts';
import { createPause, type Pause, startInterval } from '@bv/lifecycle';
import type { DispatcherMetrics } from './metrics.ts';
import type { SendDeps } from './send.ts';
import { reencryptSecrets } from './reencrypt-secrets.ts';
import { settle, type SettleDeps, type Settlement } from './settle.ts';
import { pruneOld, reclaimExpired } from './upkeep.ts';

export type DispatcherOptions = {
  pool: Pool;
  now: Clock;
  log: Logger;
  metrics: DispatcherMetrics;
  claiming: ClaimDeps;
  settling: SettleDeps;
  sending: SendDeps;
  concurrency: number;
  pollMs: number;
  reclaimMs: number;
  retentionMs: number;
  pruneMs: number;
  /** How long running attempts may go on after a stop; then they are cut off. */
  stopGraceMs: number;
};

export type Dispatcher = {
  /** False while the database does not let it claim. */
  working(): boolean;
  stop(): Promise<void>;
};

const settleGroup = 100;
const failurePauseMs = 1_000;

/** Claims due deliveries and attempts them, at most `concurrency` at a time, until stopped. */
export function startDispatcher(options: DispatcherOptions): Dispatcher {
  const { pool, now, log, metrics } = options;
  const halt = new AbortController();
  const cutOff = new AbortController();
  const running = new Set<Promise<void>>();
  const byPartner = new Map<string, number>();
  const pause = createPause();
  const settleOne = createGroupCommit<Settlement, Set<string>>({
    maxGroup: settleGroup,
    work: (group) => settle(options.settling, group),
  });
  const attempting = { ...options, settle: settleOne, leaseMs: options.claiming.leaseMs };
  const health = { working: true };

  const begin = (delivery: Claimed, secrets: readonly string[]): void => {
    const task = attempt(delivery, secrets, attempting, cutOff.signal)
      .catch((error: unknown) => log.error({ err: error, delivery: delivery.id }, 'attempt failed'))
      .finally(() => {
        running.delete(task);
        changePlaces(byPartner, delivery.partner_id, -1);
        metrics.running(running.size);
        // Its slot is free, here and for its endpoint: no need to wait for the next look.
        pause.wake();
      });
    running.add(task);
    changePlaces(byPartner, delivery.partner_id, 1);
    metrics.running(running.size);
  };

  const loop = runLoop(options, { halt: halt.signal, pause, running, byPartner, health, begin });
  const warn = (error: unknown): void => log.warn({ err: error }, 'dispatcher upkeep failed');
  const upkeep = [
    startInterval(
      options.reclaimMs,
      async () => metrics.reclaimed(await reclaimExpired(options.settling)),
      warn,
      { retryMs: failurePauseMs },
    ),
    startInterval(options.pruneMs, () => pruneOld(pool, now, options.retentionMs, halt.signal), warn),
    startInterval(
      options.pruneMs,
      async (stopping) => {
        const count = await reencryptSecrets(pool, options.claiming.encryptionKeys, stopping);
        if (count > 0) log.info({ count }, 'secrets of older keys re-encrypted with the first key');
      },
      warn,
    ),
  ];
  return {
    working: () => health.working,
    stop: async () => {
      halt.abort();
      pause.wake();
      await loop;
      const cut = setTimeout(() => cutOff.abort(), options.stopGraceMs);
      await Promise.all(running);
      clearTimeout(cut);
      await Promise.all(upkeep.map((interval) => interval.stop()));
    },
  };
}

function changePlaces(byPartner: Map<string, number>, partnerId: string, change: 1 | -1): void {
  const held = (byPartner.get(partnerId) ?? 0) + change;
  if (held === 0) byPartner.delete(partnerId);
  else byPartner.set(partnerId, held);
}

type LoopState = {
  halt: AbortSignal;
  pause: Pause;
  running: Set<Promise<void>>;
  /** Attempts in flight of each partner that has any. */
  byPartner: ReadonlyMap<string, number>;
  health: { working: boolean };
  begin: (delivery: Claimed, secrets: readonly string[]) => void;
};

async function runLoop(options: DispatcherOptions, state: LoopState): Promise<void> {
  const { concurrency, pollMs, log } = options;
  const { halt, pause, running, health } = state;
  while (!halt.aborted) {
    const free = concurrency - running.size;
    try {
      const busy = free > 0 && (await claimAndBegin(options, state, free));
      health.working = true;
      if (!busy) await pause.wait(pollMs);
    } catch (error) {
      if (health.working) log.error({ err: error }, 'deliveries cannot be claimed; trying again');
      health.working = false;
      await pause.wait(failurePauseMs);
    }
  }
}

/** Whether to look again at once: something was claimed or put off, so more may be due. */
async function claimAndBegin(options: DispatcherOptions, state: LoopState, free: number): Promise<boolean> {
  const { metrics, claiming, log } = options;
  const { claimed, secrets, held, full } = await claim(claiming, { free, byPartner: state.byPartner });
  const allowed = claimed.filter((delivery) => delivery.allowed);
  metrics.refused(claimed.length - allowed.length);
  for (const delivery of allowed) {
    const own = secrets.get(delivery.endpoint_id);
    // Never sent unsigned; to an endpoint without secrets nothing is granted.
    if (own !== undefined) state.begin(delivery, own);
  }
  if (held.length > 0) {
    metrics.held(held.length);
    log.error(
      { endpoints: held },
      'no key of WEBHOOKS_SECRET_KEYS decrypts the secrets of these endpoints; deliveries wait',
    );
  }
  return claimed.length > 0 || held.length > 0 || full;
}
