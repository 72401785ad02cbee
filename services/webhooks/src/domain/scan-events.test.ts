import { describe, expect, test } from '@jest/globals';
import { webhookEvents } from '@bv/contract';
import { randomUUID } from 'node:crypto';
import { scoredScan, type ScoredScan } from '../../test/scans.ts';
import { type MatchingSubscription, planScanEvents, toThresholdKey } from './scan-events.ts';
import { evaluateThreshold, toThresholdText } from './thresholds.ts';

const context = { timestamp: '2026-11-21T03:00:10.000Z', newId: randomUUID };
const orgId = randomUUID();
const match = (change: Partial<MatchingSubscription>): MatchingSubscription => ({
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
const threshold = (change: Partial<MatchingSubscription>): MatchingSubscription =>
  match({ eventType: 'score.threshold_crossed', threshold: 50, direction: 'both', ...change });
const bodies = (plan: { body: string }[]) => plan.map(({ body }) => JSON.parse(body));

/** The events of a scan that evaluates each threshold for the first time. */
function plan(scan: ScoredScan, matches: MatchingSubscription[]) {
  const crossings = matches.flatMap((each) => {
    const key = toThresholdKey(each);
    if (key === null) return [];
    const crossing = evaluateThreshold(scan, {
      ...key,
      value: null,
      runDate: null,
      isSuperseded: false,
    })?.crossing;
    return crossing ? [[toThresholdText(key), crossing] as const] : [];
  });
  return planScanEvents(scan, matches, new Map(crossings), context);
}

describe('planScanEvents', () => {
  test('scan.completed: one event per partner, one delivery per endpoint', () => {
    const scan = scoredScan({ orgId });
    const planned = plan(scan, [
      match({ endpointId: 'a' }),
      match({ endpointId: 'a' }),
      match({ endpointId: 'b' }),
      match({ endpointId: 'c', partnerId: 'other', externalRef: null }),
    ]);
    expect(planned.map(({ deliveries }) => deliveries.map(({ endpointId }) => endpointId))).toEqual([
      ['a', 'b'],
      ['c'],
    ]);
    const [first, second] = bodies(planned);
    expect(webhookEvents['scan.completed'].parse(first).org).toEqual({ id: orgId, external_ref: 'ours' });
    expect(second.org.external_ref).toBeNull();
    expect(Buffer.byteLength(planned[0]?.body ?? '')).toBeLessThan(20_000);
  });
  test('a threshold event only for the requested series and direction', () => {
    const scan = scoredScan({ orgId, score: [40, 60], countries: { DE: [60, 40] }, sentiment: [70, 70] });
    const cases: [Partial<MatchingSubscription>, string | null][] = [
      [{}, 'up'],
      [{ direction: 'up' }, 'up'],
      [{ direction: 'down' }, null],
      [{ country: 'DE' }, 'down'],
      [{ country: 'DE', direction: 'up' }, null],
      [{ country: 'FR' }, null],
      [{ threshold: 39 }, null],
      [{ threshold: 60 }, 'up'],
      [{ eventType: 'sentiment.threshold_crossed' }, null],
      [{ eventType: 'unknown.event' }, null],
    ];
    for (const [change, expected] of cases) {
      expect(bodies(plan(scan, [threshold(change)])).map(({ data }) => data.direction)).toEqual(
        expected === null ? [] : [expected],
      );
    }
  });
  test('a null value causes no event', () => {
    for (const score of [
      [null, 60],
      [40, null],
      [null, null],
    ] as [number | null, number | null][]) {
      expect(plan(scoredScan({ orgId, score }), [threshold({})])).toEqual([]);
    }
  });
  test('two crossed thresholds are two events, each shared by the subscriptions of a partner', () => {
    const planned = plan(scoredScan({ orgId, score: [40, 70] }), [
      threshold({ endpointId: 'a' }),
      threshold({ endpointId: 'b', direction: 'up' }),
      threshold({ endpointId: 'c', direction: 'down' }),
      threshold({ threshold: 60 }),
    ]);
    expect(planned.map(({ deliveries }) => deliveries.map(({ endpointId }) => endpointId))).toEqual([
      ['a', 'b'],
      ['endpoint'],
    ]);
  });
  test('sentiment crossings contain the sentiment values', () => {
    const scan = scoredScan({ orgId, sentiment: [55.5, 44.25] });
    const [body] = bodies(plan(scan, [threshold({ eventType: 'sentiment.threshold_crossed' })]));
    expect(webhookEvents['sentiment.threshold_crossed'].parse(body).data).toMatchObject({
      metric: 'sentiment',
      direction: 'down',
      previous: 55.5,
      current: 44.25,
      change: -11.25,
    });
  });
});
