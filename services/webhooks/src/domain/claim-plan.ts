import { breakerGate } from './breaker.ts';
import type { EndpointStatus } from './endpoint-state.ts';

/** An endpoint with due deliveries, and what runs for it and for its partner in every dispatcher. */
export type Candidate = {
  endpointId: string;
  partnerId: string;
  status: EndpointStatus;
  breaker: { level: number; until: Date | null };
  running: number;
  partnerRunning: number;
  /** Counted up to the limit of an endpoint only. */
  duePings: number;
  dueEvents: number;
};

export type ClaimLimits = { perEndpoint: number; perPartner: number };

export type Grant = {
  endpointId: string;
  pings: number;
  events: number;
  /** More is due than was granted: look again soon. */
  limited: boolean;
  /** Events wait at least until then; null: as long as the endpoint is not active. */
  eventsFrom: Date | null;
};

/** Of the dispatcher that claims. */
export type Places = { free: number; byPartner: ReadonlyMap<string, number> };

/**
 * A partner may hold a third of what it leaves free, so at most a quarter of a dispatcher's places, and less while others
 * hold places too (dynamic thresholds, as in switch buffers).
 */
const maxShareOfFree = 1 / 3;
/** Only a partner that holds no place takes these, one at a time: otherwise 16 partners whose receivers hang take all. */
const reservedShare = 1 / 10;

/** `eventCap` is what may run at once, `wantEvents` what is due. */
type Share = Grant & { candidate: Candidate; wantPings: number; wantEvents: number; eventCap: number };

/** Gives the free slots out in turns, one a turn to every endpoint, so that no receiver takes more than its share. */
export function planClaims(
  candidates: readonly Candidate[],
  limits: ClaimLimits,
  { free, byPartner }: Places,
  at: Date,
): Grant[] {
  const shares = candidates.map((candidate) => wish(candidate, at));
  const partnerRunning = new Map(
    candidates.map(({ partnerId, partnerRunning: running }) => [partnerId, running]),
  );
  const places = new Map(byPartner);
  let left = free;
  const reserved = Math.floor((free + sum(byPartner.values())) * reservedShare);
  for (let served = true; served && left > 0;) {
    served = false;
    for (const share of shares) {
      if (left === 0) break;
      const { candidate } = share;
      const partner = partnerRunning.get(candidate.partnerId) ?? 0;
      const running = candidate.running + share.pings + share.events;
      if (running >= limits.perEndpoint || partner >= limits.perPartner) continue;
      const held = places.get(candidate.partnerId) ?? 0;
      if (held >= left * maxShareOfFree || (held > 0 && left <= reserved)) continue;
      if (share.pings < share.wantPings) share.pings += 1;
      else if (share.events < Math.min(share.wantEvents, share.eventCap)) share.events += 1;
      else continue;
      partnerRunning.set(candidate.partnerId, partner + 1);
      places.set(candidate.partnerId, held + 1);
      left -= 1;
      served = true;
    }
  }
  return shares.map(({ endpointId, pings, events, wantPings, wantEvents, eventsFrom }) => ({
    endpointId,
    pings,
    events,
    limited: pings < wantPings || events < wantEvents,
    eventsFrom,
  }));
}

function sum(counts: Iterable<number>): number {
  let total = 0;
  for (const count of counts) total += count;
  return total;
}

function wish(candidate: Candidate, at: Date): Share {
  const { endpointId, status, breaker, duePings, dueEvents } = candidate;
  const share = { candidate, endpointId, pings: 0, events: 0, limited: false };
  const nothing = { ...share, wantPings: 0, wantEvents: 0, eventCap: 0, eventsFrom: null };
  if (status === 'disabled') return nothing;
  if (status !== 'active') return { ...nothing, wantPings: duePings };
  switch (breakerGate(breaker, at)) {
    case 'closed':
      return { ...share, wantPings: duePings, wantEvents: dueEvents, eventCap: dueEvents, eventsFrom: at };
    case 'open':
      return { ...nothing, wantPings: duePings, eventsFrom: breaker.until };
    case 'half_open': {
      // One probe at a time; its outcome opens or closes the breaker.
      const eventCap = candidate.running === 0 ? 1 : 0;
      return { ...share, wantPings: duePings, wantEvents: dueEvents, eventCap, eventsFrom: at };
    }
  }
}
