import { circuitBreakerState } from './circuit-breaker.ts';
import type { EndpointStatus } from './endpoint-state.ts';

/** An endpoint with due deliveries. Running attempts are counted over all dispatchers. */
export type Candidate = {
  endpointId: string;
  partnerId: string;
  status: EndpointStatus;
  breaker: { level: number; until: Date | null };
  running: number;
  partnerRunning: number;
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

/** Free slots of this dispatcher, and the slots each partner uses in it. */
export type Slots = { free: number; byPartner: ReadonlyMap<string, number> };

/**
 * A partner may use a third of the slots it leaves free: at most a quarter of all, and less while others use slots too.
 * This is the dynamic threshold of switch buffers (Choudhury and Hahne, 1998).
 */
const maxPartnerShare = 1 / 3;
/**
 * Reserved for partners that use no slot, one slot each. Otherwise 16 partners with hanging receivers take all slots.
 */
const reservedShare = 1 / 10;

/** Assigns the free slots round-robin, one slot per endpoint and round, so that no receiver delays the others. */
export function planLeases(
  candidates: readonly Candidate[],
  limits: LeaseLimits,
  { free, byPartner }: Slots,
  at: Date,
): Allocation[] {
  const plans = candidates.map((candidate) => ({
    candidate,
    demand: toDemand(candidate, at),
    pings: 0,
    events: 0,
  }));
  const partnerRunning = new Map(
    candidates.map(({ partnerId, partnerRunning: running }) => [partnerId, running]),
  );
  const slots = new Map(byPartner);
  let left = free;
  const reserved = Math.floor((free + sum(byPartner.values())) * reservedShare);
  for (let hasAssigned = true; hasAssigned && left > 0;) {
    hasAssigned = false;
    for (const plan of plans) {
      if (left === 0) break;
      const { candidate, demand } = plan;
      const runningOfPartner = partnerRunning.get(candidate.partnerId) ?? 0;
      const running = candidate.running + plan.pings + plan.events;
      if (running >= limits.perEndpoint || runningOfPartner >= limits.perPartner) continue;
      const partnerSlots = slots.get(candidate.partnerId) ?? 0;
      if (partnerSlots >= left * maxPartnerShare || (partnerSlots > 0 && left <= reserved)) continue;
      if (plan.pings < demand.pings) plan.pings += 1;
      else if (plan.events < Math.min(demand.events, demand.maxEvents)) plan.events += 1;
      else continue;
      partnerRunning.set(candidate.partnerId, runningOfPartner + 1);
      slots.set(candidate.partnerId, partnerSlots + 1);
      left -= 1;
      hasAssigned = true;
    }
  }
  return plans.map(({ candidate, demand, pings, events }) => ({
    endpointId: candidate.endpointId,
    pings,
    events,
    isLimited: pings < demand.pings || events < demand.events,
    eventsFrom: demand.eventsFrom,
  }));
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
