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
  /** Attempts that ended since the last lease: about as many will end before the next one, so as many are leased ahead. */
  ended: number;
  waiting: Leased[];
};

/** The attempts in flight in this process, and the leased deliveries that wait for the end of an attempt of their partner. */
export class Attempts {
  readonly #ctx: AttemptContext;
  readonly #stop: AbortSignal;
  readonly #onStored: () => void;
  readonly #shares = new Map<string, Share>();
  /** In flight, or with an outcome that is not stored yet. */
  readonly #open = new Set<Promise<void>>();
  #inFlight = 0;

  /** `onStored` runs when an attempt has ended and its outcome is stored. */
  constructor(ctx: AttemptContext, stop: AbortSignal, onStored: () => void) {
    this.#ctx = ctx;
    this.#stop = stop;
    this.#onStored = onStored;
  }

  /**
   * What can be leased now. Undefined when every slot is in use, or too many outcomes wait for the database. The count of
   * ended attempts begins again.
   */
  takeSlots(): Slots | undefined {
    const byPartner = new Map<string, number>();
    const ahead = new Map<string, number>();
    let used = 0;
    for (const [partnerId, share] of this.#shares) {
      if (share.inFlight + share.waiting.length + share.ended === 0) {
        this.#shares.delete(partnerId);
        continue;
      }
      share.slots = Math.min(share.slots, share.inFlight + share.waiting.length);
      used += share.slots;
      byPartner.set(partnerId, share.slots);
      ahead.set(partnerId, Math.max(0, share.ended - share.waiting.length));
      share.ended = 0;
    }
    const limit = this.#ctx.config.WEBHOOKS_PER_PROCESS;
    const unstored = this.#open.size - this.#inFlight;
    const free = Math.min(limit, 2 * limit - unstored) - used;
    if (free < 0 || (free === 0 && Math.max(0, ...ahead.values()) === 0)) return undefined;
    return { free, byPartner, ahead };
  }

  add({ deliveries, keys, slots, leaseEndsAt }: LeasedBatch): void {
    for (const [partnerId, count] of slots) this.#shareOf(partnerId).slots = count;
    const now = performance.now();
    const lastStartAt = leaseEndsAt - this.#ctx.config.WEBHOOKS_TOTAL_TIMEOUT_MS;
    // Those that have a slot start now, however short the lease is.
    const waitsUntil = Math.max(now, Math.min(now + maxWaitMs, lastStartAt));
    for (const delivery of deliveries) {
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
    const share = this.#shares.get(partnerId) ?? { slots: 0, inFlight: 0, ended: 0, waiting: [] };
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
    this.#count(share, 1);
    let hasSlot = true;
    const onEnd = (): void => {
      if (!hasSlot) return;
      hasSlot = false;
      this.#count(share, -1);
      share.ended += 1;
      this.#fill(share, performance.now());
    };
    const task = attempt({ delivery, keys, leaseEndsAt, onEnd }, this.#ctx, this.#stop)
      .catch((error: unknown) => this.#ctx.log.error({ err: error, delivery: delivery.id }, 'attempt failed'))
      .finally(() => {
        // An attempt that failed before it was sent has not ended yet.
        onEnd();
        this.#open.delete(task);
        this.#onStored();
      });
    this.#open.add(task);
  }

  #count(share: Share, by: 1 | -1): void {
    share.inFlight += by;
    this.#inFlight += by;
    this.#ctx.metrics.running(this.#inFlight);
  }
}
