import { describe, expect, test } from '@jest/globals';
import type { Observation } from '../harness/client.ts';
import { checkAllowance, checkDisagreement, checkPages, type LimitedResponse } from './clocks.ts';
import { checkFraming, type Exchange } from './framing.ts';
import { checkInputs, type Input } from './inputs.ts';
import { checkLeaks, type Attempt } from './leaks.ts';
import { checkOutage, measureRecovery, summarise, type Outage } from './outage.ts';
import { checkRefusals } from './refusals.ts';
import { checkSecrets } from './secrets.ts';
import { checkTiming } from './timing.ts';

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

describe('framing', () => {
  const whole: Exchange = {
    name: 'CL and TE',
    statuses: [400],
    text: 'HTTP/1.1 400 Bad Request\r\nX-Request-Id: 1\r\n\r\n',
    legal: false,
    requests: 1,
  };
  const id = 'X-Request-Id: 1\r\n';

  test('one refusal, or no response at all, passes', () => {
    expect(checkFraming([whole, { ...whole, statuses: [], text: '' }], [])).toEqual([]);
  });

  test.each<[string, Partial<Exchange>]>([
    ['a second response', { statuses: [400, 400], text: id + id }],
    ['invalid framing served', { statuses: [200], text: id }],
    ['a 500', { statuses: [500], text: id, legal: true }],
    ["the parser's bare refusal", { text: 'HTTP/1.1 400 Bad Request\r\n\r\n' }],
  ])('caught: %s', (_, exchange) => {
    expect(checkFraming([{ ...whole, ...exchange }], [])).not.toEqual([]);
  });

  test('caught: the hidden write took effect', () => {
    expect(checkFraming([whole], ['smuggled prompt'])).not.toEqual([]);
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

describe('inputs', () => {
  const input: Input = { name: 'x', status: 400, code: 'validation_error', ms: 5, unstorable: true };

  test('a refusal passes', () => {
    expect(checkInputs([input, { ...input, status: 201, unstorable: false }])).toEqual([]);
  });

  test.each<[string, Partial<Input>]>([
    ['a 500', { status: 500 }],
    ['no response', { status: 0 }],
    ['a NUL accepted', { status: 201 }],
    [
      'a polluted prototype accepted',
      { status: 200, unstorable: false, allowed: [[400, 'validation_error']] },
    ],
    ['a pattern that backtracks', { ms: 9_000 }],
  ])('caught: %s', (_, wrong) => {
    expect(checkInputs([{ ...input, ...wrong }])).toHaveLength(1);
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

describe('timing', () => {
  const noise = (shift: number) =>
    Array.from({ length: 400 }, (_, at) => 2 + ((at * 7_919) % 400) / 400 + shift);

  test('the same spread passes, with outliers too', () => {
    expect(checkTiming('near', noise(0), noise(0))).toEqual([]);
    expect(checkTiming('near', [...noise(0), 900, 800], noise(0))).toEqual([]);
  });

  test('caught: a key compared character by character, a quarter of the spread slower', () => {
    expect(checkTiming('near', noise(0.25), noise(0))).toHaveLength(1);
    expect(checkTiming('near', noise(-0.25), noise(0))).toHaveLength(1);
  });
});

describe('clocks', () => {
  const admitted: LimitedResponse = { atMs: 90_000, status: 200, code: null, reset: 120, retryAfter: null };
  const refused: LimitedResponse = { ...admitted, status: 429, retryAfter: 30 };
  const unavailable = { status: 503, code: 'api_unavailable', retryAfter: '5' };

  test('one allowance per minute of one clock passes', () => {
    expect(checkAllowance([admitted, admitted, refused], 2)).toEqual([]);
  });

  test.each<[string, LimitedResponse[]]>([
    ['one allowance for each gateway', [admitted, admitted, admitted, refused]],
    ['a window of each gateway', [admitted, admitted, { ...admitted, reset: 60 }, refused]],
    ['a window that does not end with a minute', [{ ...admitted, reset: 121 }, refused]],
    ['no Retry-After', [admitted, { ...refused, retryAfter: null }]],
    ["Reset by the gateway's own clock", [{ ...admitted, reset: 180 }, refused]],
    ["Retry-After by the gateway's own clock", [admitted, { ...refused, retryAfter: 42 }]],
    ['a request that was not served', [{ ...admitted, status: 503 }, refused]],
    ['an allowance that was never reached', [admitted]],
  ])('caught: %s', (_, responses) => {
    expect(checkAllowance(responses, 2)).not.toEqual([]);
  });

  test('stable pages pass; caught: pages whose window moved with the day', () => {
    expect(checkPages(['a', 'b'], ['a', 'b'])).toEqual([]);
    expect(checkPages(['a'], ['a', 'b'])).not.toEqual([]);
    expect(checkPages(['b', 'a'], ['a', 'b'])).not.toEqual([]);
    expect(checkPages(['a'], ['a'])).not.toEqual([]);
  });

  test('refused while clocks disagree, done once when they agree: passes', () => {
    expect(checkDisagreement([unavailable, unavailable], 201, 1)).toEqual([]);
  });

  test.each<[string, Parameters<typeof checkDisagreement>]>([
    ["the service's own refusal returned", [[{ ...unavailable, status: 401 }], 201, 1]],
    ['another 503', [[{ ...unavailable, code: 'rate_limit_unavailable' }], 201, 1]],
    ['no Retry-After', [[{ ...unavailable, retryAfter: null }], 201, 1]],
    ['the idempotency key never released', [[unavailable], 409, 0]],
    ['stored, but the retry refused', [[unavailable], 409, 1]],
    ['done in spite of the refusal', [[unavailable], 201, 2]],
  ])('caught: %s', (_, args) => {
    expect(checkDisagreement(...args)).not.toEqual([]);
  });
});
