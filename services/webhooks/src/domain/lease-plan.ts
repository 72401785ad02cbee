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

export type Grant = {
  endpointId: string;
  pings: number;
  events: number;
  /** More is due than was granted, so the endpoint is leased from again soon. */
  limited: boolean;
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

/** A grant that grows with each round. `maxEvents` may run at once, `eventDemand` are due. */
type Allocation = Grant & {
  candidate: Candidate;
  pingDemand: number;
  eventDemand: number;
  maxEvents: number;
};

/** Assigns the free slots round-robin, one slot per endpoint and round, so that no receiver delays the others. */
export function planLeases(
  candidates: readonly Candidate[],
  limits: LeaseLimits,
  { free, byPartner }: Slots,
  at: Date,
): Grant[] {
  const allocations = candidates.map((candidate) => initialAllocation(candidate, at));
  const partnerRunning = new Map(
    candidates.map(({ partnerId, partnerRunning: running }) => [partnerId, running]),
  );
  const slots = new Map(byPartner);
  let left = free;
  const reserved = Math.floor((free + sum(byPartner.values())) * reservedShare);
  for (let hasAssigned = true; hasAssigned && left > 0;) {
    hasAssigned = false;
    for (const allocation of allocations) {
      if (left === 0) break;
      const { candidate } = allocation;
      const runningOfPartner = partnerRunning.get(candidate.partnerId) ?? 0;
      const running = candidate.running + allocation.pings + allocation.events;
      if (running >= limits.perEndpoint || runningOfPartner >= limits.perPartner) continue;
      const partnerSlots = slots.get(candidate.partnerId) ?? 0;
      if (partnerSlots >= left * maxPartnerShare || (partnerSlots > 0 && left <= reserved)) continue;
      if (allocation.pings < allocation.pingDemand) allocation.pings += 1;
      else if (allocation.events < Math.min(allocation.eventDemand, allocation.maxEvents))
        allocation.events += 1;
      else continue;
      partnerRunning.set(candidate.partnerId, runningOfPartner + 1);
      slots.set(candidate.partnerId, partnerSlots + 1);
      left -= 1;
      hasAssigned = true;
    }
  }
  return allocations.map(({ endpointId, pings, events, pingDemand, eventDemand, eventsFrom }) => ({
    endpointId,
    pings,
    events,
    limited: pings < pingDemand || events < eventDemand,
    eventsFrom,
  }));
}

function sum(counts: Iterable<number>): number {
  let total = 0;
  for (const count of counts) total += count;
  return total;
}

function initialAllocation(candidate: Candidate, at: Date): Allocation {
  const { endpointId, status, breaker, duePings, dueEvents } = candidate;
  const allocation = { candidate, endpointId, pings: 0, events: 0, limited: false };
  const none = { ...allocation, pingDemand: 0, eventDemand: 0, maxEvents: 0, eventsFrom: null };
  if (status === 'disabled') return none;
  if (status !== 'active') return { ...none, pingDemand: duePings };
  switch (circuitBreakerState(breaker, at)) {
    case 'closed':
      return {
        ...allocation,
        pingDemand: duePings,
        eventDemand: dueEvents,
        maxEvents: dueEvents,
        eventsFrom: at,
      };
    case 'open':
      return { ...none, pingDemand: duePings, eventsFrom: breaker.until };
    case 'half_open': {
      // One probe at a time. Its outcome opens or closes the circuit breaker.
      const maxEvents = candidate.running === 0 ? 1 : 0;
      return { ...allocation, pingDemand: duePings, eventDemand: dueEvents, maxEvents, eventsFrom: at };
    }
  }
}
