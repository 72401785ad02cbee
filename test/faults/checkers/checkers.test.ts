import { describe, expect, test } from '@jest/globals';
import type { Observation } from '../harness/client.ts';
import { checkLeaks, type Attempt } from './leaks.ts';
import { checkOutage, measureRecovery, summarise, type Outage } from './outage.ts';
import { checkRefusals } from './refusals.ts';
import { checkSecrets } from './secrets.ts';

/** Each checker must accept a correct history, and report each mutation of it. */

describe('leaks', () => {
  const refused: Attempt = {
    name: 'read',
    sent: '/brands/b1',
    status: 404,
    code: 'not_found',
    text: '{"code":"not_found"}',
    unknown: '{"code":"not_found"}',
    allowed: [[404, 'not_found']],
  };
  const rows = new Map([['catalog.brands', '1 abc']]);
  const check = (attempt: Partial<Attempt>, after = rows): string[] =>
    checkLeaks([{ ...refused, ...attempt }], ['Victim Brand', 'b1'], rows, after);

  test('a refusal that reveals nothing passes, also one that repeats what was sent', () => {
    expect(check({})).toEqual([]);
    expect(check({ text: 'b1', unknown: 'b1' })).toEqual([]);
  });

  test.each<[string, Partial<Attempt>]>([
    ['the check of the owner is missing', { status: 200, code: null, text: '{"id":"b1"}' }],
    ['a name in the message', { text: 'Victim Brand is not yours', unknown: 'Victim Brand is not yours' }],
    ['403 instead of 404', { status: 403, code: 'forbidden' }],
    ['differs from the refusal for an unknown id', { unknown: '{"code":"validation_error"}' }],
  ])('caught: %s', (_, attempt) => {
    expect(check(attempt)).not.toEqual([]);
  });

  test('caught: a refusal that changed, deleted or inserted a row', () => {
    expect(check({}, new Map([['catalog.brands', '1 abd']]))).not.toEqual([]);
    expect(check({}, new Map())).not.toEqual([]);
    expect(check({}, new Map([...rows, ['scans.jobs', '1 x']]))).not.toEqual([]);
  });
});

describe('refusals', () => {
  const allowed = [[401, 'invalid_caller']] as const;

  test('the right refusal passes; a success, another code, details and no response do not', () => {
    expect(checkRefusals([{ name: 'x', status: 401, code: 'invalid_caller', allowed }])).toEqual([]);
    for (const wrong of [
      { status: 200, code: null },
      { status: 500, code: 'internal_error' },
      { status: 401, code: 'invalid_api_key' },
      { status: 0, code: null },
      { status: 401, code: 'invalid_caller', hasDetails: true },
    ]) {
      expect(checkRefusals([{ name: 'x', allowed, ...wrong }])).toHaveLength(1);
    }
  });
});

describe('secrets', () => {
  const secrets = [{ name: 'a key', value: `bvk_live_${'abcDEF123'.repeat(5).slice(0, 43)}` }];
  const value = secrets[0]?.value ?? '';
  const check = (text: string): string[] =>
    checkSecrets(new Map([['gateway.log', `first\n${text}\n`]]), secrets);

  test('the first 12 characters are public', () => {
    expect(check(`{"keyPrefix":"${value.slice(0, 12)}"}`)).toEqual([]);
  });

  test.each([
    ['whole', value],
    ['without its prefix', value.slice(9)],
    ['truncated', `${value.slice(0, 40)}...`],
    ['in a URL', encodeURIComponent(`Bearer ${value}`)],
    ['in base64', Buffer.from(`user:${value}`).toString('base64')],
    ['in base64, offset by one', Buffer.from(`user1:${value}`).toString('base64')],
    ['in base64, offset by two', Buffer.from(`user12:${value}`).toString('base64url')],
  ])('caught: %s', (_, text) => {
    expect(check(text)).toEqual(['gateway.log line 2 shows a key']);
  });
});

describe('outage', () => {
  const observation = (startedAt: number, rest: Partial<Observation> = {}): Observation => ({
    name: 'read',
    startedAt,
    endedAt: startedAt + 10,
    status: 200,
    code: null,
    retryAfter: null,
    ...rest,
  });
  const refused = { status: 503, code: 'api_unavailable', retryAfter: '5' };
  const clean: Outage = {
    history: [observation(0), observation(1_500, refused), observation(3_100, refused), observation(9_000)],
    downAt: 1_000,
    restoredAt: 3_000,
    idempotencyLeaseMs: 1_000,
    writes: [
      { mark: 'a', acknowledged: true },
      { mark: 'b', acknowledged: false },
    ],
    stored: ['a', 'other'],
  };

  test('refused during the outage, served soon after, each acknowledged write stored once: passes', () => {
    expect(checkOutage(clean)).toEqual([]);
    expect(checkOutage({ ...clean, stored: ['a', 'b'] })).toEqual([]);
  });

  const inFlight = { status: 409, code: 'idempotency_key_in_flight' };

  test('a retry that gets 409 while its first attempt may still run, during the lease: passes', () => {
    const tries = [
      observation(1_500, { ...refused, idempotencyKey: 'a' }),
      observation(2_400, { ...inFlight, idempotencyKey: 'a' }),
    ];
    expect(checkOutage({ ...clean, history: tries })).toEqual([]);
  });

  test.each<[string, Observation[]]>([
    [
      'after the lease',
      [
        observation(1_500, { ...refused, idempotencyKey: 'a' }),
        observation(2_600, { ...inFlight, idempotencyKey: 'a' }),
      ],
    ],
    ['to the first attempt', [observation(2_400, { ...inFlight, idempotencyKey: 'a' })]],
    [
      'after another key',
      [
        observation(1_500, { ...refused, idempotencyKey: 'b' }),
        observation(2_400, { ...inFlight, idempotencyKey: 'a' }),
      ],
    ],
    ['to a request without a key', [observation(1_500, refused), observation(2_400, inFlight)]],
  ])('caught: 409 in flight %s', (_, history) => {
    expect(checkOutage({ ...clean, history })).not.toEqual([]);
  });

  test.each<[string, Partial<Outage>]>([
    ['a 503 without Retry-After', { history: [observation(1_500, { ...refused, retryAfter: null })] }],
    ['a 500', { history: [observation(1_500, { status: 500, code: 'internal_error' })] }],
    ['a request without a response', { history: [observation(1_500, { status: 0 })] }],
    ['refused before the fault', { history: [observation(100, refused)] }],
    ['refused long after the fault', { history: [observation(8_100, refused)] }],
    ['an acknowledged write that is lost', { stored: ['b'] }],
    ['a write done twice', { stored: ['a', 'a'] }],
    ['an unacknowledged write done twice', { stored: ['a', 'b', 'b'] }],
  ])('caught: %s', (_, wrong) => {
    expect(checkOutage({ ...clean, ...wrong })).not.toEqual([]);
  });

  test('recovery time and summary for the table', () => {
    expect(measureRecovery(clean)).toBe(110);
    expect(summarise(clean)).toEqual([
      { name: 'read', served: 0, refused: new Map([['503 api_unavailable', 1]]), slowestMs: 10 },
    ]);
  });
});
