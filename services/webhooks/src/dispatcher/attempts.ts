import type { LeasedDelivery } from '../db/leases.ts';
import type { Slots } from '../domain/lease-plan.ts';
import { attempt, type AttemptContext } from './attempt.ts';
import type { LeasedBatch } from './lease.ts';

/** How long a leased delivery waits for a slot. Then it is returned, so that other dispatchers can send it. */
const maxWaitMs = 1_000;

type Leased = {
  delivery: LeasedDelivery;
  secrets: readonly string[];
  leaseEndsAt: number;
  waitsUntil: number;
};

/** What a partner uses of this process. */
type Share = {
  /** Attempts that may be in flight until the next lease. */
  slots: number;
  inFlight: number;
  /** Attempts that ended since the last lease: about as many will end before the next one, so as many are leased ahead. */
  ended: number;
  waiting: Leased[];
};

/** The attempts in flight in this process, and the leased deliveries that wait for the end of an attempt of their partner. */
export type Attempts = {
  /** What can be leased now. Undefined when every slot is in use, or too many outcomes wait for the database. */
  slots(): Slots | undefined;
  add(leased: LeasedBatch): void;
  /** Removes deliveries that have waited too long, or all of them. */
  takeUnsent(options?: { all: boolean }): LeasedDelivery[];
  ended(): Promise<unknown>;
};

/** `onStored` runs when an attempt has ended and its outcome is stored. */
export function createAttempts(ctx: AttemptContext, stop: AbortSignal, onStored: () => void): Attempts {
  const limit = ctx.config.WEBHOOKS_PER_PROCESS;
  const shares = new Map<string, Share>();
  /** In flight, or with an outcome that is not stored yet. */
  const open = new Set<Promise<void>>();
  let inFlight = 0;
  const shareOf = (partnerId: string): Share => {
    const share = shares.get(partnerId) ?? { slots: 0, inFlight: 0, ended: 0, waiting: [] };
    shares.set(partnerId, share);
    return share;
  };
  const change = (share: Share, by: 1 | -1): void => {
    share.inFlight += by;
    inFlight += by;
    ctx.metrics.running(inFlight);
  };
  const fill = (share: Share, now: number): void => {
    while (share.inFlight < share.slots) {
      const [next] = share.waiting;
      if (next === undefined || next.waitsUntil < now) return;
      share.waiting.shift();
      start(share, next);
    }
  };
  const start = (share: Share, { delivery, secrets, leaseEndsAt }: Leased): void => {
    change(share, 1);
    let hasSlot = true;
    const onEnd = (): void => {
      if (!hasSlot) return;
      hasSlot = false;
      change(share, -1);
      share.ended += 1;
      fill(share, performance.now());
    };
    const task = attempt({ delivery, secrets, leaseEndsAt, onEnd }, ctx, stop)
      .catch((error: unknown) => ctx.log.error({ err: error, delivery: delivery.id }, 'attempt failed'))
      .finally(() => {
        // An attempt that failed before it was sent has not ended yet.
        onEnd();
        open.delete(task);
        onStored();
      });
    open.add(task);
  };
  return {
    slots: () => {
      const byPartner = new Map<string, number>();
      const ahead = new Map<string, number>();
      let used = 0;
      for (const [partnerId, share] of shares) {
        share.slots = Math.min(share.slots, share.inFlight + share.waiting.length);
        used += share.slots;
        byPartner.set(partnerId, share.slots);
        ahead.set(partnerId, Math.max(0, share.ended - share.waiting.length));
        if (share.slots + share.ended === 0) shares.delete(partnerId);
        share.ended = 0;
      }
      const unstored = open.size - inFlight;
      const free = Math.min(limit, 2 * limit - unstored) - used;
      if (free < 0 || (free === 0 && Math.max(0, ...ahead.values()) === 0)) return undefined;
      return { free, byPartner, ahead };
    },
    add: ({ deliveries, secrets, slots, leaseEndsAt }) => {
      for (const [partnerId, count] of slots) shareOf(partnerId).slots = count;
      const now = performance.now();
      const lastStartAt = leaseEndsAt - ctx.config.WEBHOOKS_TOTAL_TIMEOUT_MS;
      // Those that have a slot start now, however short the lease is.
      const waitsUntil = Math.max(now, Math.min(now + maxWaitMs, lastStartAt));
      for (const delivery of deliveries) {
        const own = secrets.get(delivery.endpoint_id);
        // Deliveries are never sent unsigned. An endpoint without secrets gets no slots.
        if (own === undefined || !delivery.allowed) continue;
        shareOf(delivery.partner_id).waiting.push({ delivery, secrets: own, leaseEndsAt, waitsUntil });
      }
      for (const share of shares.values()) fill(share, now);
    },
    takeUnsent: ({ all } = { all: false }) => {
      const now = performance.now();
      const taken: Leased[] = [];
      for (const share of shares.values()) {
        const isTaken = ({ waitsUntil }: Leased): boolean => all || waitsUntil < now;
        taken.push(...share.waiting.filter(isTaken));
        share.waiting = share.waiting.filter((each) => !isTaken(each));
      }
      return taken.map(({ delivery }) => delivery);
    },
    ended: () => Promise.all(open),
  };
}
