import { describe, expect, test } from '@jest/globals';
import type { Observation } from '../harness/client.ts';
import { checkDeliveryHistory, type Attempt, type ObservedDelivery } from './deliveries.ts';
import { checkFinalState, type FinalState, type DeliveryRecord, type ScanRecord } from './kills.ts';
import { checkRolling } from './rolling.ts';

/** As in checkers.test.ts: correct histories pass, mutations are reported. */

const observation = (startedAt: number, rest: Partial<Observation> = {}): Observation => ({
  name: 'read',
  startedAt,
  endedAt: startedAt + 10,
  status: 200,
  code: null,
  retryAfter: null,
  ...rest,
});

describe('kills', () => {
  const scan: ScanRecord = {
    jobId: 'j',
    status: 'completed',
    units: 2,
    results: ['p claude US', 'p gemini US'],
    scoredEvents: 1,
  };
  const delivery: DeliveryRecord = {
    eventId: 'e',
    endpointId: 'x',
    status: 'succeeded',
    attempts: 2,
    unknownAttempts: 1,
    received: 2,
    badSignatures: 0,
  };
  const clean: FinalState = {
    writes: [
      { mark: 'a', acknowledged: true },
      { mark: 'b', acknowledged: false },
    ],
    stored: ['a'],
    catalogVersions: new Map([['p', '3']]),
    projectedVersions: new Map([['p', '3']]),
    unsent: 0,
    deadLetters: 0,
    scans: [scan],
    deliveries: [delivery],
  };

  test('everything once passes, also an event received again after its dispatcher died', () => {
    expect(checkFinalState(clean)).toEqual([]);
  });

  test.each<[string, Partial<FinalState>]>([
    ['the idempotency record outside the transaction of the write', { stored: ['a', 'a'] }],
    ['a response before the commit', { stored: [] }],
    ['the outbox row outside the transaction: a change without an event', { projectedVersions: new Map() }],
    [
      'an event of a rolled back change',
      { projectedVersions: new Map([...clean.projectedVersions, ['q', '1']]) },
    ],
    [
      'the version ignored: an older state applied over a newer one',
      { projectedVersions: new Map([['p', '2']]) },
    ],
    ['the relay stops retrying', { unsent: 4 }],
    ['the consumer dead-letters an event', { deadLetters: 1 }],
    ['the inbox removed: a scan scored twice', { scans: [{ ...scan, scoredEvents: 2 }] }],
    [
      'the fencing token removed: an answer with an expired lease counts',
      { scans: [{ ...scan, results: [...scan.results, 'p claude US'] }] },
    ],
    [
      'a unit whose worker died is forgotten',
      { scans: [{ ...scan, status: 'running', results: ['p claude US'] }] },
    ],
    ['a delivery that is never sent', { deliveries: [{ ...delivery, received: 0 }] }],
    [
      'no lease on a delivery: two dispatchers send it',
      { deliveries: [{ ...delivery, unknownAttempts: 0 }] },
    ],
    ['a redelivered event creates deliveries again', { deliveries: [delivery, delivery] }],
    ['attempts not counted with the lease', { deliveries: [{ ...delivery, attempts: 11 }] }],
    [
      'a delivery left as it was when its dispatcher died',
      { deliveries: [{ ...delivery, status: 'delivering' }] },
    ],
    ['the secret of another endpoint', { deliveries: [{ ...delivery, badSignatures: 1 }] }],
  ])('caught: %s', (_, wrong) => {
    expect(checkFinalState({ ...clean, ...wrong })).not.toEqual([]);
  });
});

describe('a rolling restart', () => {
  const history = Array.from({ length: 200 }, (_, index) => observation(index));

  test('every request served passes', () => {
    expect(checkRolling(history)).toEqual([]);
  });

  test.each<[string, Partial<Observation>]>([
    ['a connection closed under its request', { status: 0 }],
    [
      'the old process refuses before the balancer stops routing to it',
      { status: 503, code: 'api_unavailable', retryAfter: '5' },
    ],
    ['half a migration', { status: 500 }],
  ])('caught: %s', (_, wrong) => {
    expect(checkRolling([...history, observation(7, wrong)])).toHaveLength(1);
  });

  test('caught: no load at all', () => {
    expect(checkRolling([])).toHaveLength(1);
  });
});

describe('deliveries', () => {
  const attempt = (at: number, outcome = 'failed'): Attempt => ({
    startedAt: at * 100,
    finishedAt: at * 100 + 90,
    outcome,
  });
  const taken: ObservedDelivery = {
    name: 'd',
    behaviour: 'ok',
    status: 'succeeded',
    attempts: [attempt(0, 'unknown'), attempt(1, 'succeeded')],
    received: 2,
    badSignatures: 0,
  };
  const refused: ObservedDelivery = {
    ...taken,
    behaviour: 'refusing',
    status: 'dead',
    attempts: Array.from({ length: 10 }, (_, at) => attempt(at)),
    received: 10,
  };

  test('a repeat after its dispatcher died, and ten failed attempts: pass', () => {
    expect(checkDeliveryHistory([taken, refused], 2)).toEqual([]);
  });

  test.each<[string, ObservedDelivery]>([
    [
      'no lease: two dispatchers send it at the same time',
      { ...taken, attempts: [attempt(0, 'unknown'), { ...attempt(0), startedAt: 50 }] },
    ],
    [
      'no fencing token: a success that is overwritten',
      { ...taken, attempts: [attempt(0, 'succeeded'), attempt(1, 'succeeded')] },
    ],
    ['left as it was when its dispatcher died', { ...taken, status: 'delivering' }],
    ['attempts not counted', { ...taken, received: 3 }],
    ['marked as sent and never sent', { ...taken, received: 0 }],
    ['an event that was never sent', { ...refused, received: 0 }],
    ['dead-lettered too soon', { ...refused, attempts: refused.attempts.slice(1), received: 9 }],
    ['attempted too often', { ...refused, attempts: [...refused.attempts, attempt(10)] }],
    ['a redirect counted as a success', { ...refused, behaviour: 'redirecting', status: 'succeeded' }],
    ["another endpoint's secret", { ...taken, badSignatures: 1 }],
  ])('caught: %s', (_, wrong) => {
    expect(checkDeliveryHistory([wrong], 1)).not.toEqual([]);
  });

  test('caught: a missing delivery', () => {
    expect(checkDeliveryHistory([taken], 2)).toHaveLength(1);
  });
});
