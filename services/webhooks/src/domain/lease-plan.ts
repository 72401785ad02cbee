import { circuitBreakerState } from './circuit-breaker.ts';
import type { EndpointStatus } from './endpoint-state.ts';

/** An endpoint with due deliveries. Attempts are counted over all dispatchers. */
export type Candidate = {
  endpointId: string;
  partnerId: string;
  status: EndpointStatus;
  breaker: { level: number; until: Date | null };
  /** Attempts without a stored outcome. */
  running: number;
  /** Those of them that have not ended, as far as this dispatcher knows; of the endpoint and of its partner. */
  inFlight: number;
  partnerInFlight: number;
  /** Counted up to one more than the limit of an endpoint. */
  duePings: number;
  dueEvents: number;
};

export type LeaseLimits = { perEndpoint: number; perPartner: number };

/** The slots of an endpoint: how many of its due pings and events are leased. */
export type Allocation = {
  endpointId: string;
  pings: number;
  events: number;
  /** More is due than was allocated, so the endpoint is leased from again soon. */
  isLimited: boolean;
  /** Earliest time at which events may be sent. Null while the endpoint is not active. */
  eventsFrom: Date | null;
};

/** What a partner uses of this dispatcher. */
export type PartnerSlots = {
  slots: number;
  /** Prefetched deliveries: they wait for the end of an attempt of this partner. */
  waiting: number;
  /** How many attempts end one after the other in the time that a delivery may wait. */
  sentWhileWaiting: number;
};

/** Slots of this dispatcher, and their use by partner. */
export type Slots = { free: number; byPartner: ReadonlyMap<string, PartnerSlots> };

/** `slots`: those each partner used before, and its new ones. */
export type LeasePlan = { allocations: Allocation[]; slots: ReadonlyMap<string, number> };

/**
 * A partner may use a third of the slots it leaves free: at most a quarter of all, and less while others use slots too.
 * This is the dynamic threshold of switch buffers (Choudhury and Hahne, 1998).
 */
const maxPartnerShare = 1 / 3;
/**
 * Reserved for partners that use no slot, one slot each. Otherwise 16 partners with hanging receivers take all slots.
 */
const reservedShare = 1 / 10;

const maxPrefetchedPerSlot = 6;

/** How many deliveries of a partner may wait for its slots. None if its receivers are slow or hang. */
export const maxPrefetched = ({ slots, sentWhileWaiting }: Omit<PartnerSlots, 'waiting'>): number =>
  slots * Math.min(maxPrefetchedPerSlot, sentWhileWaiting);

/**
 * Assigns the free slots round-robin, one slot per endpoint and round, so that no receiver delays the others. Then
 * deliveries of partners with slots are prefetched in the same way.
 */
export function planLeases(
  candidates: readonly Candidate[],
  limits: LeaseLimits,
  { free, byPartner }: Slots,
  at: Date,
): LeasePlan {
  const plans = candidates.map((candidate) => ({
    candidate,
    demand: toDemand(candidate, at),
    pings: 0,
    events: 0,
  }));
  const slots = new Map(Array.from(byPartner, ([partnerId, used]) => [partnerId, used.slots]));
  let left = free;
  const reserved = Math.floor((free + sum(slots.values())) * reservedShare);
  assignRounds(plans, limits, (partnerId) => {
    const used = slots.get(partnerId) ?? 0;
    if (used >= left * maxPartnerShare || (used > 0 && left <= reserved)) return false;
    slots.set(partnerId, used + 1);
    left -= 1;
    return true;
  });
  const waitingByPartner = new Map<string, number>();
  assignRounds(plans, limits, (partnerId) => {
    const { sentWhileWaiting = 0, waiting: before = 0 } = byPartner.get(partnerId) ?? {};
    const waiting = waitingByPartner.get(partnerId) ?? before;
    if (waiting >= maxPrefetched({ slots: slots.get(partnerId) ?? 0, sentWhileWaiting })) return false;
    waitingByPartner.set(partnerId, waiting + 1);
    return true;
  });
  const allocations = plans.map(({ candidate, demand, pings, events }) => ({
    endpointId: candidate.endpointId,
    pings,
    events,
    isLimited: pings < demand.pings || events < demand.events,
    eventsFrom: demand.eventsFrom,
  }));
  return { allocations, slots };
}

type Plan = { candidate: Candidate; demand: Demand; pings: number; events: number };

/** Assigns one delivery per endpoint and round, within the limits, while `take` has one for the partner. */
function assignRounds(
  plans: readonly Plan[],
  limits: LeaseLimits,
  take: (partnerId: string) => boolean,
): void {
  const inFlightByPartner = new Map(
    plans.map(({ candidate: { partnerId, partnerInFlight } }) => [partnerId, partnerInFlight]),
  );
  for (const { candidate, pings, events } of plans) {
    const { partnerId } = candidate;
    inFlightByPartner.set(partnerId, (inFlightByPartner.get(partnerId) ?? 0) + pings + events);
  }
  for (let hasAssigned = true; hasAssigned;) {
    hasAssigned = false;
    for (const plan of plans) {
      const { candidate, demand } = plan;
      const { partnerId } = candidate;
      const partnerInFlight = inFlightByPartner.get(partnerId) ?? 0;
      const inFlight = candidate.inFlight + plan.pings + plan.events;
      if (inFlight >= limits.perEndpoint || partnerInFlight >= limits.perPartner) continue;
      const isPing = plan.pings < demand.pings;
      const isEvent = plan.events < Math.min(demand.events, demand.maxEvents);
      if (!(isPing || isEvent) || !take(partnerId)) continue;
      if (isPing) plan.pings += 1;
      else plan.events += 1;
      inFlightByPartner.set(partnerId, partnerInFlight + 1);
      hasAssigned = true;
    }
  }
}

function sum(counts: Iterable<number>): number {
  let total = 0;
  for (const count of counts) total += count;
  return total;
}

/** What an endpoint may use now. At most `maxEvents` of its due events run at once. */
type Demand = { pings: number; events: number; maxEvents: number; eventsFrom: Date | null };

function toDemand({ status, breaker, running, duePings, dueEvents }: Candidate, at: Date): Demand {
  const none: Demand = { pings: 0, events: 0, maxEvents: 0, eventsFrom: null };
  if (status === 'disabled') return none;
  if (status !== 'active') return { ...none, pings: duePings };
  switch (circuitBreakerState(breaker, at)) {
    case 'closed':
      return { pings: duePings, events: dueEvents, maxEvents: dueEvents, eventsFrom: at };
    case 'open':
      return { ...none, pings: duePings, eventsFrom: breaker.until };
    case 'half_open': {
      // One probe at a time. Its outcome opens or closes the circuit breaker.
      const maxEvents = running === 0 ? 1 : 0;
      return { pings: duePings, events: dueEvents, maxEvents, eventsFrom: at };
    }
  }
}
