import { describe, expect, test } from '@jest/globals';
import type { Seen } from '../harness/client.ts';
import { checkDelivered, type Attempt, type Delivered } from './deliveries.ts';
import { checkAftermath, type Aftermath, type DeliveryRecord, type ScanRecord } from './kills.ts';
import { checkMemory } from './memory.ts';
import { checkRolling } from './rolling.ts';
import { checkSlowClients, type SlowClient } from './slow-clients.ts';

/** As in checkers.test.ts: clean histories pass, planted bugs are caught. */

const seen = (startedAt: number, rest: Partial<Seen> = {}): Seen => ({
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
  const clean: Aftermath = {
    writes: [
      { mark: 'a', answered: true },
      { mark: 'b', answered: false },
    ],
    stored: ['a'],
    told: new Map([['p', '3']]),
    heard: new Map([['p', '3']]),
    unsent: 0,
    dead: 0,
    scans: [scan],
    deliveries: [delivery],
  };

  test('everything once passes, also an event that came again after its dispatcher died', () => {
    expect(checkAftermath(clean)).toEqual([]);
  });

  test.each<[string, Partial<Aftermath>]>([
    ['the idempotency record outside the transaction of the write', { stored: ['a', 'a'] }],
    ['an answer before the commit', { stored: [] }],
    ['the outbox row outside the transaction: a change nobody is told of', { heard: new Map() }],
    ['an event of what was rolled back', { heard: new Map([...clean.heard, ['q', '1']]) }],
    ['the version ignored: an older state applied over a newer one', { heard: new Map([['p', '2']]) }],
    ['the relay gives up', { unsent: 4 }],
    ['the consumer gives up', { dead: 1 }],
    ['the inbox removed: a scan scored twice', { scans: [{ ...scan, scoredEvents: 2 }] }],
    [
      'the fence removed: an answer under a lost lease counts',
      { scans: [{ ...scan, results: [...scan.results, 'p claude US'] }] },
    ],
    [
      'a unit whose worker died is forgotten',
      { scans: [{ ...scan, status: 'running', results: ['p claude US'] }] },
    ],
    ['an event that is planned and never sent', { deliveries: [{ ...delivery, received: 0 }] }],
    [
      'no lease on a delivery: two dispatchers send it',
      { deliveries: [{ ...delivery, unknownAttempts: 0 }] },
    ],
    ['a redelivered domain event fans out again', { deliveries: [delivery, delivery] }],
    ['attempts not counted at the claim', { deliveries: [{ ...delivery, attempts: 11 }] }],
    [
      'a delivery left as it was when its dispatcher died',
      { deliveries: [{ ...delivery, status: 'delivering' }] },
    ],
    ['the secret of another endpoint', { deliveries: [{ ...delivery, badSignatures: 1 }] }],
  ])('caught: %s', (_, wrong) => {
    expect(checkAftermath({ ...clean, ...wrong })).not.toEqual([]);
  });
});

describe('slow clients', () => {
  const late: SlowClient = { kind: 'body', openedAt: 0, closedAt: 11_000, received: '' };
  const idle: SlowClient = { kind: 'idle', openedAt: 0, closedAt: null, received: '' };
  const check = (client: SlowClient, history = [seen(0)]): string[] =>
    checkSlowClients([client], history, 25_000);

  test('a late body closed without a byte, an idle socket that stays: pass', () => {
    expect(check(late)).toEqual([]);
    expect(check(idle)).toEqual([]);
  });

  test.each<[string, SlowClient, Seen[]]>([
    ["Node's 408", { ...late, received: 'HTTP/1.1 408 Request Timeout' }, [seen(0)]],
    ['each byte extends the deadline', { ...late, closedAt: null }, [seen(0)]],
    ['headers without a deadline', { ...late, kind: 'headers', closedAt: null }, [seen(0)]],
    ['a deadline of two seconds', { ...late, closedAt: 2_000 }, [seen(0)]],
    ['others are refused', idle, [seen(0, { status: 503 })]],
    ['others wait', idle, [seen(0, { endedAt: 9_000 })]],
    ['nobody is served at all', idle, []],
  ])('caught: %s', (_, client, history) => {
    expect(check(client, history)).not.toEqual([]);
  });
});

describe('a rolling restart', () => {
  const history = Array.from({ length: 200 }, (_, index) => seen(index));

  test('every request served passes', () => {
    expect(checkRolling(history)).toEqual([]);
  });

  test.each<[string, Partial<Seen>]>([
    ['a connection closed under its request', { status: 0 }],
    [
      'the old process refuses before the balancer knows',
      { status: 503, code: 'api_unavailable', retryAfter: '5' },
    ],
    ['half a migration', { status: 500 }],
  ])('caught: %s', (_, wrong) => {
    expect(checkRolling([...history, seen(7, wrong)])).toHaveLength(1);
  });

  test('caught: no load at all', () => {
    expect(checkRolling([])).toHaveLength(1);
  });
});

describe('memory', () => {
  /** What a process holds after each thousand of requests. */
  const check = (bytesAfter: (thousands: number) => number): string[] => {
    const held = Array.from({ length: 16 }, (_, at) => ({ requests: at * 1_000, bytes: bytesAfter(at) }));
    return checkMemory(new Map([['gateway', held]]));
  };
  const filled = 30_000_000;

  test('caches that fill, samples that scatter and one taken amid work pass', () => {
    expect(check((thousands) => filled + Math.min(thousands, 7) * 2_000_000)).toEqual([]);
    expect(check((thousands) => filled + (thousands % 3) * 300_000)).toEqual([]);
    expect(check((thousands) => filled + (thousands === 13 ? 20_000_000 : 0))).toEqual([]);
  });

  test.each<[string, (thousands: number) => number]>([
    ['the id of every request is remembered', (thousands) => filled + thousands * 1_000 * 200],
    [
      'and seems to be none as long as caches are emptied',
      (thousands) => filled + Math.max(0, thousands - 7) * 400_000,
    ],
  ])('caught: %s', (_, bytesAfter) => {
    expect(check(bytesAfter)).toHaveLength(1);
  });
});

describe('deliveries', () => {
  const attempt = (at: number, outcome = 'failed'): Attempt => ({
    startedAt: at * 100,
    finishedAt: at * 100 + 90,
    outcome,
  });
  const taken: Delivered = {
    name: 'd',
    behaviour: 'ok',
    status: 'succeeded',
    attempts: [attempt(0, 'unknown'), attempt(1, 'succeeded')],
    received: 2,
    badSignatures: 0,
  };
  const refused: Delivered = {
    ...taken,
    behaviour: 'refusing',
    status: 'dead',
    attempts: Array.from({ length: 10 }, (_, at) => attempt(at)),
    received: 10,
  };

  test('what came again after its dispatcher died, and what was tried ten times in vain: pass', () => {
    expect(checkDelivered([taken, refused], 2)).toEqual([]);
  });

  test.each<[string, Delivered]>([
    [
      'no lease: two dispatchers send it at a time',
      { ...taken, attempts: [attempt(0, 'unknown'), { ...attempt(0), startedAt: 50 }] },
    ],
    [
      'no fence: a success that is forgotten',
      { ...taken, attempts: [attempt(0, 'succeeded'), attempt(1, 'succeeded')] },
    ],
    ['left as it was when its dispatcher died', { ...taken, status: 'delivering' }],
    ['attempts not counted', { ...taken, received: 3 }],
    ['marked as sent and never sent', { ...taken, received: 0 }],
    ['an event planned and never made', { ...refused, received: 0 }],
    ['given up too soon', { ...refused, attempts: refused.attempts.slice(1), received: 9 }],
    ['tried for ever', { ...refused, attempts: [...refused.attempts, attempt(10)] }],
    ['a redirect taken for success', { ...refused, behaviour: 'redirecting', status: 'succeeded' }],
    ["another endpoint's secret", { ...taken, badSignatures: 1 }],
  ])('caught: %s', (_, wrong) => {
    expect(checkDelivered([wrong], 1)).not.toEqual([]);
  });

  test('caught: one too few', () => {
    expect(checkDelivered([taken], 2)).toHaveLength(1);
  });
});
