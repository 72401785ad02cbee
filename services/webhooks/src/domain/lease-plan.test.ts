import { describe, expect, test } from '@jest/globals';
import { type Candidate, type PartnerSlots, planLeases, type Slots } from './lease-plan.ts';

const at = new Date('2026-11-21T03:00:00Z');
const later = new Date(at.getTime() + 30_000);
const limits = { perEndpoint: 10, perPartner: 50 };

const candidate = (change: Partial<Candidate>): Candidate => ({
  endpointId: 'e',
  partnerId: 'p',
  status: 'active',
  breaker: { level: 0, until: null },
  running: 0,
  inFlight: 0,
  partnerInFlight: 0,
  duePings: 0,
  dueEvents: 0,
  ...change,
});
const unused = (free: number): Slots => ({ free, byPartner: new Map() });
const using = (slots: number, waiting = 0, sentWhileWaiting = 0) => ({ slots, waiting, sentWhileWaiting });
const plan = (candidates: Partial<Candidate>[], free = 200) =>
  planLeases(candidates.map(candidate), limits, unused(free), at).allocations.map(
    ({ pings, events, isLimited }) => ({
      pings,
      events,
      isLimited,
    }),
  );

const countSlots = (allocations: { pings: number; events: number }[]): number =>
  allocations.reduce((sum, { pings, events }) => sum + pings + events, 0);

describe('planLeases', () => {
  test('free slots are assigned round-robin', () => {
    const greedy = { endpointId: 'a', partnerId: 'p1', dueEvents: 11 };
    const modest = { endpointId: 'b', partnerId: 'p2', dueEvents: 2 };
    expect(plan([greedy, modest], 10)).toEqual([
      { pings: 0, events: 2, isLimited: true },
      { pings: 0, events: 2, isLimited: false },
    ]);
  });
  test.each([
    [1, 1],
    [4, 1],
    [40, 10],
    [200, 50],
  ])('of %p slots a single partner uses at most %p, pings included', (free, max) => {
    const endpoints = Array.from({ length: 20 }, (_, index) => ({
      endpointId: `e${index}`,
      duePings: 6,
      dueEvents: 5,
    }));
    expect(countSlots(plan(endpoints, free))).toBe(max);
  });
  test('slots that a partner already uses count', () => {
    const due = candidate({ duePings: 10, partnerInFlight: 9 });
    const slots = (used: number) => ({ free: 40 - used, byPartner: new Map([['p', using(used)]]) });
    const pings = [9, 10].map((used) => planLeases([due], limits, slots(used), at).allocations[0]?.pings);
    expect(pings).toEqual([1, 0]);
  });
  test('fifty partners with many due deliveries leave a slot for another one', () => {
    const many = Array.from({ length: 50 }, (_, index) => ({
      endpointId: `e${index}`,
      partnerId: `p${index}`,
      duePings: 11,
    }));
    const used = countSlots(plan(many));
    expect(used).toBeGreaterThan(150);
    expect(used).toBeLessThan(200);
  });
  test('partners that lease one after the other leave a tenth to partners without a slot', () => {
    const byPartner = new Map<string, PartnerSlots>();
    const leaseFor = (partnerId: string): number => {
      const free = 200 - [...byPartner.values()].reduce((sum, { slots }) => sum + slots, 0);
      const due = Array.from({ length: 6 }, () => candidate({ partnerId, duePings: 11 }));
      const allocated = countSlots(planLeases(due, limits, { free, byPartner }, at).allocations);
      byPartner.set(partnerId, using((byPartner.get(partnerId)?.slots ?? 0) + allocated));
      return allocated;
    };
    const first = Array.from({ length: 20 }, (_, index) => leaseFor(`p${index}`));
    expect(first[0]).toBe(50);
    for (let index = 0; index < 20; index += 1) leaseFor(`p${index}`);
    expect([leaseFor('new'), leaseFor('new')]).toEqual([1, 0]);
  });
  test('as many deliveries of a partner are prefetched as its attempts end in a second, at most six per slot', () => {
    const endpoints = ['p1', 'p2', 'p3'].map((partnerId) =>
      candidate({ endpointId: partnerId, partnerId, dueEvents: 11 }),
    );
    const byPartner = new Map([
      ['p1', using(0, 0, 1)],
      ['p2', using(0, 7, 100)],
    ]);
    const planned = planLeases(endpoints, limits, { free: 8, byPartner }, at);
    expect(planned.slots).toEqual(
      new Map([
        ['p1', 2],
        ['p2', 2],
        ['p3', 1],
      ]),
    );
    expect(planned.allocations.map(({ events }) => events)).toEqual([4, 7, 1]);
  });
  test('a prefetched delivery counts for the limits', () => {
    const due = candidate({ dueEvents: 11, inFlight: 8 });
    const byPartner = new Map([['p', using(8, 0, 5)]]);
    const [allocation] = planLeases([due], limits, { free: 0, byPartner }, at).allocations;
    expect(allocation).toMatchObject({ events: 2, isLimited: true });
  });
  test('an ended attempt does not count for the limits, before its outcome is stored', () => {
    const due = { dueEvents: 11, running: 12, inFlight: 6, partnerInFlight: 47 };
    expect(plan([{ ...due, partnerInFlight: 6 }])).toMatchObject([{ events: 4 }]);
    expect(plan([due])).toMatchObject([{ events: 3 }]);
  });
  test('the outcome of a probe is stored before the next probe', () => {
    const probed = { dueEvents: 5, running: 1, breaker: { level: 1, until: at } };
    expect(plan([probed])).toMatchObject([{ events: 0 }]);
  });
  test('an endpoint has at most ten attempts at once', () => {
    expect(plan([{ dueEvents: 11 }])).toEqual([{ pings: 0, events: 10, isLimited: true }]);
    expect(plan([{ dueEvents: 11, inFlight: 8 }])).toEqual([{ pings: 0, events: 2, isLimited: true }]);
  });
  test('a partner has at most fifty attempts over all its endpoints', () => {
    const endpoints = Array.from({ length: 4 }, (_, index) => ({
      endpointId: `e${index}`,
      partnerInFlight: 40,
      dueEvents: 5,
    }));
    expect(plan(endpoints).reduce((sum, { events }) => sum + events, 0)).toBe(10);
  });
  test.each(['pending_verification', 'failing'] as const)(
    'an endpoint that is %s gets pings only',
    (status) => {
      expect(plan([{ status, duePings: 1, dueEvents: 5 }])).toEqual([
        { pings: 1, events: 0, isLimited: false },
      ]);
    },
  );
  test('a disabled endpoint gets nothing', () => {
    expect(plan([{ status: 'disabled', duePings: 1, dueEvents: 5 }])).toEqual([
      { pings: 0, events: 0, isLimited: false },
    ]);
  });
  test('an open circuit breaker delays events, not pings; half open allows one probe', () => {
    const { allocations } = planLeases(
      [candidate({ breaker: { level: 1, until: later }, duePings: 1, dueEvents: 5 })],
      limits,
      unused(200),
      at,
    );
    expect(allocations[0]).toMatchObject({ pings: 1, events: 0, eventsFrom: later });
    const half = { breaker: { level: 1, until: at }, dueEvents: 5 };
    expect(plan([half])).toEqual([{ pings: 0, events: 1, isLimited: true }]);
    expect(plan([{ ...half, running: 1 }])).toEqual([{ pings: 0, events: 0, isLimited: true }]);
  });
});
