import type { KeyObject } from 'node:crypto';
import type { LeasedDelivery } from '../db/leases.ts';
import { maxPrefetched, type PartnerSlots } from '../domain/lease-plan.ts';

export type Leased = {
  delivery: LeasedDelivery;
  keys: readonly KeyObject[];
  leaseEndsAt: number;
  waitsUntil: number;
};

/** How long a prefetched delivery waits for a slot. Then it is returned, so that other dispatchers can send it. */
export const maxWaitMs = 1_000;

/** Weight of the newest attempt in the mean duration, as in the round-trip time of TCP (RFC 6298). */
const newestWeight = 1 / 8;

/** What a partner uses of this process: its slots, and its prefetched deliveries. */
export class PartnerShare {
  /** Attempts that may be in flight until the next lease. */
  slots = 0;
  inFlight = 0;
  /** Mean duration of its attempts. Infinite before the first one ends, and when a delivery waited too long. */
  #attemptMs = Infinity;
  #lastEndAt = 0;
  /** Deliveries that waited after the last lease. */
  #leased = 0;
  #waiting: Leased[] = [];

  /** Unused for a while: its mean duration says little about the next attempt. */
  isUnused(now: number): boolean {
    return this.inFlight + this.#waiting.length === 0 && this.#lastEndAt + maxWaitMs < now;
  }

  /** For the next lease. Slots without a delivery are free again. */
  use(): PartnerSlots {
    const waiting = this.#waiting.length;
    this.slots = Math.min(this.slots, this.inFlight + waiting);
    return { slots: this.slots, waiting, sentWhileWaiting: this.#sentWhileWaiting };
  }

  get #sentWhileWaiting(): number {
    return Math.floor(maxWaitMs / this.#attemptMs);
  }

  /** At most half of the prefetched deliveries are left. An earlier lease would cost a transaction for each delivery. */
  get isLow(): boolean {
    const waiting = this.#waiting.length;
    const max = maxPrefetched({ slots: this.slots, sentWhileWaiting: this.#sentWhileWaiting });
    return waiting <= this.#leased / 2 && waiting < max;
  }

  add(leased: Leased): void {
    this.#waiting.push(leased);
    this.#leased = this.#waiting.length;
  }

  /** Takes the next delivery for a free slot. The caller starts its attempt. */
  start(now: number): Leased | undefined {
    if (this.inFlight >= this.slots) return undefined;
    const index = this.#waiting.findIndex(({ waitsUntil }) => waitsUntil >= now);
    const [next] = index === -1 ? [] : this.#waiting.splice(index, 1);
    if (next !== undefined) this.inFlight += 1;
    return next;
  }

  end(now: number, durationMs: number): void {
    this.inFlight -= 1;
    this.#lastEndAt = now;
    const mean = this.#attemptMs;
    this.#attemptMs = mean === Infinity ? durationMs : mean + (durationMs - mean) * newestWeight;
  }

  /** Removes the deliveries that have waited too long. */
  takeExpired(now: number): Leased[] {
    const expired = this.#waiting.filter(({ waitsUntil }) => waitsUntil < now);
    if (expired.length === 0) return [];
    this.#waiting = this.#waiting.filter(({ waitsUntil }) => waitsUntil >= now);
    // Its receiver is slower than before, or responds no more.
    this.#attemptMs = Infinity;
    return expired;
  }
}
