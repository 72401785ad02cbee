import type { LeasedDelivery } from '../db/leases.ts';
import type { Slots } from '../domain/lease-plan.ts';
import { attempt, type AttemptContext } from './attempt.ts';
import type { LeasedBatch } from './lease.ts';
import { type Leased, maxWaitMs, PartnerShare } from './partner-share.ts';

/** Outcomes that wait for the database, per slot. With as many nothing is leased. */
const maxUnstoredPerSlot = 4;

/**
 * The leased deliveries of this process:
 *
 *     leased ──▶ waiting ──▶ in flight ──▶ ended ──▶ stored
 *                   └─▶ returned
 *
 * - waiting: prefetched, until an attempt of its partner ends. After a second it is returned.
 * - in flight: uses a slot of its partner.
 * - ended: its slot is free. Its outcome is not in the database yet, so a lease is passed its token.
 */
export class Attempts {
  readonly #ctx: AttemptContext;
  readonly #stop: AbortSignal;
  readonly #onStored: () => void;
  readonly #shares = new Map<string, PartnerShare>();
  /** In flight or ended. */
  readonly #open = new Set<Promise<void>>();
  readonly #ended = new Set<LeasedDelivery>();

  /** `onStored` runs when an attempt has ended and its outcome is stored. */
  constructor(ctx: AttemptContext, stop: AbortSignal, onStored: () => void) {
    this.#ctx = ctx;
    this.#stop = stop;
    this.#onStored = onStored;
  }

  /** What can be leased now. Undefined when nothing can. */
  takeSlots(): Slots | undefined {
    const limit = this.#ctx.config.WEBHOOKS_PER_PROCESS;
    if (this.#ended.size >= maxUnstoredPerSlot * limit) return undefined;
    const byPartner: Slots['byPartner'] = new Map(
      Array.from(this.#shares, ([partnerId, share]) => [partnerId, share.use()]),
    );
    const free = byPartner.values().reduce((left, { slots }) => left - slots, limit);
    return free > 0 || this.#shares.values().some((share) => share.isLow) ? { free, byPartner } : undefined;
  }

  /** Lease tokens of ended attempts whose outcomes may not be stored yet. */
  endedTokens(): string[] {
    return Array.from(this.#ended, ({ lease_token: token }) => token);
  }

  add({ deliveries, keys, slots, leaseEndsAt }: LeasedBatch): void {
    for (const [partnerId, count] of slots) this.#shareOf(partnerId).slots = count;
    const now = performance.now();
    const lastStartAt = leaseEndsAt - this.#ctx.config.WEBHOOKS_TOTAL_TIMEOUT_MS;
    // Those that have a slot start now, however short the lease is.
    const waitsUntil = Math.max(now, Math.min(now + maxWaitMs, lastStartAt));
    for (const delivery of byRounds(deliveries)) {
      const own = keys.get(delivery.endpoint_id);
      // Deliveries are never sent unsigned. An endpoint without keys gets no slots.
      if (own === undefined || !delivery.allowed) continue;
      this.#shareOf(delivery.partner_id).add({ delivery, keys: own, leaseEndsAt, waitsUntil });
    }
    for (const share of this.#shares.values()) this.#fill(share);
  }

  /** Removes deliveries that have waited too long, or all of them. */
  takeUnsent({ all } = { all: false }): LeasedDelivery[] {
    const now = performance.now();
    const taken = [...this.#shares.values()].flatMap((share) => share.takeExpired(all ? Infinity : now));
    for (const [partnerId, share] of this.#shares) if (share.isUnused(now)) this.#shares.delete(partnerId);
    return taken.map(({ delivery }) => delivery);
  }

  async ended(): Promise<void> {
    await Promise.all(this.#open);
  }

  #shareOf(partnerId: string): PartnerShare {
    const share = this.#shares.get(partnerId) ?? new PartnerShare();
    this.#shares.set(partnerId, share);
    return share;
  }

  #fill(share: PartnerShare): void {
    const now = performance.now();
    for (let next = share.start(now); next !== undefined; next = share.start(now)) this.#start(share, next);
  }

  #start(share: PartnerShare, { delivery, keys, leaseEndsAt }: Leased): void {
    const startedAt = performance.now();
    const onEnd = (): void => {
      if (this.#ended.has(delivery)) return;
      this.#ended.add(delivery);
      const now = performance.now();
      share.end(now, now - startedAt);
      this.#reportInFlight();
      this.#fill(share);
    };
    const task = attempt({ delivery, keys, leaseEndsAt, onEnd }, this.#ctx, this.#stop)
      .catch((error: unknown) => this.#ctx.log.error({ err: error, delivery: delivery.id }, 'attempt failed'))
      .finally(() => {
        // An attempt that failed before it was sent has not ended yet.
        onEnd();
        this.#open.delete(task);
        this.#ended.delete(delivery);
        this.#onStored();
      });
    this.#open.add(task);
    this.#reportInFlight();
  }

  #reportInFlight(): void {
    this.#ctx.metrics.inFlight(this.#open.size - this.#ended.size);
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
