import { describe, expect, test } from '@jest/globals';
import { webhookEvents } from '@bv/contract';
import { randomUUID } from 'node:crypto';
import { scoredScan } from '../../test/scans.ts';
import { crossedDirection, type Match, planScanEvents } from './scan-events.ts';

const context = { timestamp: '2026-11-21T03:00:10.000Z', newId: randomUUID };
const orgId = randomUUID();
const match = (change: Partial<Match>): Match => ({
  subscriptionId: randomUUID(),
  endpointId: 'endpoint',
  partnerId: 'partner',
  externalRef: 'ours',
  eventType: 'scan.completed',
  threshold: null,
  direction: null,
  country: null,
  ...change,
});
const threshold = (change: Partial<Match>): Match =>
  match({ eventType: 'score.threshold_crossed', threshold: 50, direction: 'both', ...change });
const bodies = (plan: { body: string }[]) => plan.map(({ body }) => JSON.parse(body));

describe('crossedDirection', () => {
  test.each([
    [49.99, 50, 50, 'up'],
    [49.99, 49.99, 50, null],
    [50, 49.99, 50, 'down'],
    [50, 50, 50, null],
    [50, 60, 50, null],
    [60, 40, 50, 'down'],
    [40, 60, 50, 'up'],
    [0, 100, 0, null],
    [100, 0, 0, null],
    [0, 0.01, 0.01, 'up'],
  ])('%p to %p at %p is %p', (previous, current, at, expected) => {
    expect(crossedDirection(previous, current, at)).toBe(expected);
  });
});

describe('planScanEvents', () => {
  test('scan.completed: one event a partner, one delivery an endpoint', () => {
    const scan = scoredScan({ orgId });
    const plan = planScanEvents(
      scan,
      [
        match({ endpointId: 'a' }),
        match({ endpointId: 'a' }),
        match({ endpointId: 'b' }),
        match({ endpointId: 'c', partnerId: 'other', externalRef: null }),
      ],
      context,
    );
    expect(plan.map(({ deliveries }) => deliveries.map(({ endpointId }) => endpointId))).toEqual([
      ['a', 'b'],
      ['c'],
    ]);
    const [first, second] = bodies(plan);
    expect(webhookEvents['scan.completed'].parse(first).org).toEqual({ id: orgId, external_ref: 'ours' });
    expect(second.org.external_ref).toBeNull();
    expect(Buffer.byteLength(plan[0]?.body ?? '')).toBeLessThan(20_000);
  });
  test('a threshold event only for the series and direction asked for', () => {
    const scan = scoredScan({ orgId, score: [40, 60], countries: { DE: [60, 40] }, sentiment: [70, 70] });
    const cases: [Partial<Match>, string | null][] = [
      [{}, 'up'],
      [{ direction: 'up' }, 'up'],
      [{ direction: 'down' }, null],
      [{ country: 'DE' }, 'down'],
      [{ country: 'DE', direction: 'up' }, null],
      [{ country: 'FR' }, null],
      [{ threshold: 39 }, null],
      [{ threshold: 60 }, 'up'],
      [{ eventType: 'sentiment.threshold_crossed' }, null],
      [{ eventType: 'unheard.of' }, null],
    ];
    for (const [change, expected] of cases) {
      const plan = planScanEvents(scan, [threshold(change)], context);
      expect(bodies(plan).map(({ data }) => data.direction)).toEqual(expected === null ? [] : [expected]);
    }
  });
  test('no data on a side never fires', () => {
    for (const score of [
      [null, 60],
      [40, null],
      [null, null],
    ] as [number | null, number | null][]) {
      expect(planScanEvents(scoredScan({ orgId, score }), [threshold({})], context)).toEqual([]);
    }
  });
  test('two thresholds crossed at once are two events; a second scan of the day is the same crossing', () => {
    const scan = scoredScan({ orgId, score: [40, 70] });
    const plan = planScanEvents(scan, [threshold({}), threshold({ threshold: 60 })], context);
    expect(plan).toHaveLength(2);
    const again = planScanEvents({ ...scan, job_id: randomUUID() }, [threshold({})], context);
    expect(again[0]?.dedupeKey).toBe(plan[0]?.dedupeKey);
    const nextDay = planScanEvents({ ...scan, run_date: '2026-11-22' }, [threshold({})], context);
    expect(nextDay[0]?.dedupeKey).not.toBe(plan[0]?.dedupeKey);
  });
  test('sentiment crossings carry their own movement', () => {
    const scan = scoredScan({ orgId, sentiment: [55.5, 44.25] });
    const [body] = bodies(
      planScanEvents(scan, [threshold({ eventType: 'sentiment.threshold_crossed' })], context),
    );
    expect(webhookEvents['sentiment.threshold_crossed'].parse(body).data).toMatchObject({
      metric: 'sentiment',
      direction: 'down',
      previous: 55.5,
      current: 44.25,
      change: -11.25,
    });
  });
});
