import { describe, expect, test } from '@jest/globals';
import { type Candidate, planClaims } from './claim-plan.ts';

const at = new Date('2026-11-21T03:00:00Z');
const later = new Date(at.getTime() + 30_000);
const limits = { perEndpoint: 10, perPartner: 50 };

const candidate = (change: Partial<Candidate>): Candidate => ({
  endpointId: 'e',
  partnerId: 'p',
  status: 'active',
  breaker: { level: 0, until: null },
  running: 0,
  partnerRunning: 0,
  duePings: 0,
  dueEvents: 0,
  ...change,
});
const plan = (candidates: Partial<Candidate>[], free = 200) =>
  planClaims(candidates.map(candidate), limits, { free, byPartner: new Map() }, at).map(
    ({ pings, events, limited }) => ({
      pings,
      events,
      limited,
    }),
  );

const taken = (grants: { pings: number; events: number }[]): number =>
  grants.reduce((sum, { pings, events }) => sum + pings + events, 0);

describe('planClaims', () => {
  test('free slots go round the endpoints', () => {
    const greedy = { endpointId: 'a', partnerId: 'p1', dueEvents: 11 };
    const modest = { endpointId: 'b', partnerId: 'p2', dueEvents: 2 };
    expect(plan([greedy, modest], 10)).toEqual([
      { pings: 0, events: 2, limited: true },
      { pings: 0, events: 2, limited: false },
    ]);
  });
  test.each([
    [1, 1],
    [4, 1],
    [40, 10],
    [200, 50],
  ])('of %p places a partner alone holds at most %p, pings included', (free, most) => {
    const endpoints = Array.from({ length: 20 }, (_, index) => ({
      endpointId: `e${index}`,
      duePings: 6,
      dueEvents: 5,
    }));
    expect(taken(plan(endpoints, free))).toBe(most);
  });
  test('what a partner holds counts, also what the dispatcher claimed before', () => {
    const due = candidate({ duePings: 10, partnerRunning: 9 });
    const places = (held: number) => ({ free: 40 - held, byPartner: new Map([['p', held]]) });
    const pings = [9, 10].map((held) => planClaims([due], limits, places(held), at)[0]?.pings);
    expect(pings).toEqual([1, 0]);
  });
  test('however many partners have much due, one more gets a place', () => {
    const many = Array.from({ length: 50 }, (_, index) => ({
      endpointId: `e${index}`,
      partnerId: `p${index}`,
      duePings: 11,
    }));
    const held = taken(plan(many));
    expect(held).toBeGreaterThan(150);
    expect(held).toBeLessThan(200);
  });
  test('partners that take their places one after the other leave a tenth to those that have none', () => {
    const byPartner = new Map<string, number>();
    const claimFor = (partnerId: string): number => {
      const free = 200 - [...byPartner.values()].reduce((sum, held) => sum + held, 0);
      const due = Array.from({ length: 6 }, () => candidate({ partnerId, duePings: 11 }));
      const got = taken(planClaims(due, limits, { free, byPartner }, at));
      byPartner.set(partnerId, (byPartner.get(partnerId) ?? 0) + got);
      return got;
    };
    const first = Array.from({ length: 20 }, (_, index) => claimFor(`p${index}`));
    expect(first[0]).toBe(50);
    for (let index = 0; index < 20; index += 1) claimFor(`p${index}`);
    expect([claimFor('new'), claimFor('new')]).toEqual([1, 0]);
  });
  test('an endpoint has at most ten at once, what runs included', () => {
    expect(plan([{ dueEvents: 11 }])).toEqual([{ pings: 0, events: 10, limited: true }]);
    expect(plan([{ dueEvents: 11, running: 8 }])).toEqual([{ pings: 0, events: 2, limited: true }]);
  });
  test('a partner has at most fifty over all its endpoints', () => {
    const endpoints = Array.from({ length: 4 }, (_, index) => ({
      endpointId: `e${index}`,
      partnerRunning: 40,
      dueEvents: 5,
    }));
    expect(plan(endpoints).reduce((sum, { events }) => sum + events, 0)).toBe(10);
  });
  test.each(['pending_verification', 'failing'] as const)('%s gets pings only', (status) => {
    expect(plan([{ status, duePings: 1, dueEvents: 5 }])).toEqual([{ pings: 1, events: 0, limited: false }]);
  });
  test('disabled gets nothing', () => {
    expect(plan([{ status: 'disabled', duePings: 1, dueEvents: 5 }])).toEqual([
      { pings: 0, events: 0, limited: false },
    ]);
  });
  test('an open breaker holds events until its time, not pings; half open lets one probe through', () => {
    const [held] = planClaims(
      [candidate({ breaker: { level: 1, until: later }, duePings: 1, dueEvents: 5 })],
      limits,
      { free: 200, byPartner: new Map() },
      at,
    );
    expect(held).toMatchObject({ pings: 1, events: 0, eventsFrom: later });
    const half = { breaker: { level: 1, until: at }, dueEvents: 5 };
    expect(plan([half])).toEqual([{ pings: 0, events: 1, limited: true }]);
    expect(plan([{ ...half, running: 1 }])).toEqual([{ pings: 0, events: 0, limited: true }]);
  });
});
