import { describe, expect, test } from '@jest/globals';
import { webhookEvents } from '@bv/contract';
import { randomUUID } from 'node:crypto';
import { foundChange, scoredScan, type ScoredScan } from '../../test/scans.ts';
import type { MatchingSubscription } from './matching-subscription.ts';
import { planScanEvents, toThresholdKey } from './scan-events.ts';
import { listFoundChanges, toChangeText } from './score-changes.ts';
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
  metric: null,
  windowDays: null,
  confidence: null,
  ...change,
});
const threshold = (change: Partial<MatchingSubscription>): MatchingSubscription =>
  match({ eventType: 'score.threshold_crossed', threshold: 50, direction: 'both', ...change });
const bodies = (plan: { body: string }[]) => plan.map(({ body }) => JSON.parse(body));

/** The events of a scan that evaluates each threshold and change for the first time. */
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
  const changes = new Set(listFoundChanges(scan, matches).map(toChangeText));
  return planScanEvents(scan, matches, { crossings: new Map(crossings), changes }, context);
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
  test('score.changed only for the requested metric, market and window, one event per partner', () => {
    const scan = scoredScan({
      orgId,
      changes: [{}, { country: 'DE', verdict: 'down' }, { metric: 'citation_rate', window_days: 28 }],
    });
    const change = (values: Partial<MatchingSubscription>): MatchingSubscription =>
      match({ eventType: 'score.changed', metric: 'score', windowDays: 7, confidence: 0.9999, ...values });
    const planned = plan(scan, [
      change({ endpointId: 'a' }),
      change({ endpointId: 'a' }),
      change({ endpointId: 'b' }),
      change({ endpointId: 'b', country: 'DE' }),
      change({ endpointId: 'c', windowDays: 28 }),
      change({ endpointId: 'c', metric: 'citation_rate' }),
      change({ endpointId: 'c', metric: 'citation_rate', windowDays: 28 }),
      change({ endpointId: 'd', country: 'FR' }),
      change({ endpointId: 'e', partnerId: 'other' }),
    ]);
    expect(
      planned.map(({ partnerId, deliveries }) => [
        partnerId,
        ...deliveries.map(({ endpointId }) => endpointId),
      ]),
    ).toEqual([
      ['partner', 'a', 'b'],
      ['partner', 'b'],
      ['partner', 'c'],
      ['other', 'e'],
    ]);
    const [first, second, third] = bodies(planned).map((body) => webhookEvents['score.changed'].parse(body));
    const { window_days: _, highest_confidence: _confidence, ...comparison } = foundChange(scan.run_date);
    expect(first?.data).toEqual({ brand: scan.brand, ...comparison, job_id: scan.job_id });
    expect(second?.data).toMatchObject({ country: 'DE', verdict: 'down' });
    expect(third?.data).toMatchObject({ metric: 'citation_rate', country: null });
  });
  test.each([
    [0.9999, ['a', 'b', 'c']],
    [0.99, ['a', 'b']],
    [0.95, ['a']],
  ])('score.changed with the confidence %d, for subscriptions that ask for no more', (found, expected) => {
    const change = (endpointId: string, confidence: number): MatchingSubscription =>
      match({ endpointId, confidence, eventType: 'score.changed', metric: 'score', windowDays: 7 });
    const least = change('a', 0.95);
    const scan = scoredScan({ orgId, changes: [{ highest_confidence: found }] });
    const [planned] = plan(scan, [change('a', 0.9999), least, change('b', 0.99), change('c', 0.9999)]);
    expect(planned?.deliveries.map(({ endpointId }) => endpointId)).toEqual(expected);
    if (found !== 0.9999) expect(planned?.deliveries[0]?.subscriptionId).toBe(least.subscriptionId);
  });
  test('a scan that is not the first of its day has no score.changed', () => {
    const subscription = match({
      eventType: 'score.changed',
      metric: 'score',
      windowDays: 7,
      confidence: 0.95,
    });
    expect(plan(scoredScan({ orgId }), [subscription])).toEqual([]);
  });
  test('scan.completed contains the verdict of all markets', () => {
    const scan = scoredScan({ orgId, countries: { DE: [60, 40] } });
    const series = scan.series.map((each, index) => ({
      ...each,
      change_verdict: index === 0 ? ('up' as const) : ('down' as const),
    }));
    const [body] = bodies(plan({ ...scan, series }, [match({})]));
    expect(body.data.change_verdict).toBe('up');
  });
});
