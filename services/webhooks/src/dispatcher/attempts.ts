import type { KeyObject } from 'node:crypto';
import type { LeasedDelivery } from '../db/leases.ts';
import type { Slots } from '../domain/lease-plan.ts';
import { attempt, type AttemptContext } from './attempt.ts';
import type { LeasedBatch } from './lease.ts';

/** How long a leased delivery waits for a slot. Then it is returned, so that other dispatchers can send it. */
const maxWaitMs = 1_000;

type Leased = {
  delivery: LeasedDelivery;
  keys: readonly KeyObject[];
  leaseEndsAt: number;
  waitsUntil: number;
};

/** What a partner uses of this process. */
type Share = {
  /** Attempts that may be in flight until the next lease. */
  slots: number;
  inFlight: number;
  /** Attempts that ended since the last lease in which the partner had a due endpoint. */
  ended: number;
  /** Those of them that the next lease has counted. */
  endedBefore: number;
  /** On the monotonic clock. */
  lastEndAt: number;
  waiting: Leased[];
};

/** Outcomes that wait for the database, per slot. With as many nothing is leased. */
const maxUnstoredPerSlot = 4;

/** The attempts in flight in this process, and the leased deliveries that wait for the end of an attempt of their partner. */
export class Attempts {
  readonly #ctx: AttemptContext;
  readonly #stop: AbortSignal;
  readonly #onStored: () => void;
  readonly #shares = new Map<string, Share>();
  /** In flight, or with an outcome that is not stored yet. */
  readonly #open = new Set<Promise<void>>();
  /** Ended, with an outcome that is not stored yet. */
  readonly #unstored = new Set<LeasedDelivery>();

  /** `onStored` runs when an attempt has ended and its outcome is stored. */
  constructor(ctx: AttemptContext, stop: AbortSignal, onStored: () => void) {
    this.#ctx = ctx;
    this.#stop = stop;
    this.#onStored = onStored;
  }

  /** What can be leased now. Undefined when every slot is in use, or too many outcomes wait for the database. */
  takeSlots(): Slots | undefined {
    const byPartner = new Map<string, number>();
    const ahead = new Map<string, { wanted: number; waiting: number }>();
    const now = performance.now();
    let used = 0;
    for (const [partnerId, share] of this.#shares) {
      const leased = share.inFlight + share.waiting.length;
      if (share.lastEndAt + maxWaitMs < now) share.ended = 0;
      if (leased + share.ended === 0) {
        this.#shares.delete(partnerId);
        continue;
      }
      share.slots = Math.min(share.slots, leased);
      share.endedBefore = share.ended;
      used += share.slots;
      byPartner.set(partnerId, share.slots);
      // About as many will end until the next lease. Twice as many let the partner's share grow.
      ahead.set(partnerId, { wanted: 2 * share.ended, waiting: share.waiting.length });
    }
    const limit = this.#ctx.config.WEBHOOKS_PER_PROCESS;
    if (this.#unstored.size >= maxUnstoredPerSlot * limit) return undefined;
    const free = limit - used;
    const isAhead = [...ahead.values()].some(({ wanted, waiting }) => wanted > waiting);
    if (free === 0 && !isAhead) return undefined;
    return { free, byPartner, ahead };
  }

  /** Lease tokens of ended attempts whose outcomes may not be stored yet. */
  endedTokens(): string[] {
    return Array.from(this.#unstored, ({ lease_token: token }) => token);
  }

  add({ deliveries, keys, slots, partners, leaseEndsAt }: LeasedBatch): void {
    for (const [partnerId, count] of slots) this.#shareOf(partnerId).slots = count;
    for (const partnerId of partners) {
      const share = this.#shares.get(partnerId);
      if (share === undefined) continue;
      share.ended -= share.endedBefore;
      share.endedBefore = 0;
    }
    const now = performance.now();
    const lastStartAt = leaseEndsAt - this.#ctx.config.WEBHOOKS_TOTAL_TIMEOUT_MS;
    // Those that have a slot start now, however short the lease is.
    const waitsUntil = Math.max(now, Math.min(now + maxWaitMs, lastStartAt));
    for (const delivery of byRounds(deliveries)) {
      const own = keys.get(delivery.endpoint_id);
      // Deliveries are never sent unsigned. An endpoint without keys gets no slots.
      if (own === undefined || !delivery.allowed) continue;
      this.#shareOf(delivery.partner_id).waiting.push({ delivery, keys: own, leaseEndsAt, waitsUntil });
    }
    for (const share of this.#shares.values()) this.#fill(share, now);
  }

  /** Removes deliveries that have waited too long, or all of them. */
  takeUnsent({ all } = { all: false }): LeasedDelivery[] {
    const now = performance.now();
    const taken: Leased[] = [];
    for (const share of this.#shares.values()) {
      const isTaken = ({ waitsUntil }: Leased): boolean => all || waitsUntil < now;
      taken.push(...share.waiting.filter(isTaken));
      share.waiting = share.waiting.filter((each) => !isTaken(each));
    }
    return taken.map(({ delivery }) => delivery);
  }

  async ended(): Promise<void> {
    await Promise.all(this.#open);
  }

  #shareOf(partnerId: string): Share {
    const share = this.#shares.get(partnerId) ?? {
      slots: 0,
      inFlight: 0,
      ended: 0,
      endedBefore: 0,
      lastEndAt: 0,
      waiting: [],
    };
    this.#shares.set(partnerId, share);
    return share;
  }

  #fill(share: Share, now: number): void {
    while (share.inFlight < share.slots) {
      const index = share.waiting.findIndex(({ waitsUntil }) => waitsUntil >= now);
      const [next] = index === -1 ? [] : share.waiting.splice(index, 1);
      if (next === undefined) return;
      this.#start(share, next);
    }
  }

  #start(share: Share, { delivery, keys, leaseEndsAt }: Leased): void {
    share.inFlight += 1;
    const onEnd = (): void => {
      if (this.#unstored.has(delivery)) return;
      const now = performance.now();
      share.inFlight -= 1;
      share.ended += 1;
      share.lastEndAt = now;
      this.#unstored.add(delivery);
      this.#reportInFlight();
      this.#fill(share, now);
    };
    const task = attempt({ delivery, keys, leaseEndsAt, onEnd }, this.#ctx, this.#stop)
      .catch((error: unknown) => this.#ctx.log.error({ err: error, delivery: delivery.id }, 'attempt failed'))
      .finally(() => {
        // An attempt that failed before it was sent has not ended yet.
        onEnd();
        this.#open.delete(task);
        this.#unstored.delete(delivery);
        this.#onStored();
      });
    this.#open.add(task);
    this.#reportInFlight();
  }

  #reportInFlight(): void {
    this.#ctx.metrics.running(this.#open.size - this.#unstored.size);
  }
}

/**
 * One delivery of each endpoint, then the second of each, and so on: an endpoint has fewer attempts in flight at once, so
 * it needs fewer connections.
 */
function byRounds(deliveries: readonly LeasedDelivery[]): LeasedDelivery[] {
  const counts = new Map<string, number>();
  const placed = deliveries.map((delivery) => {
    const round = counts.get(delivery.endpoint_id) ?? 0;
    counts.set(delivery.endpoint_id, round + 1);
    return { delivery, round };
  });
  return placed.toSorted((a, b) => a.round - b.round).map(({ delivery }) => delivery);
}
