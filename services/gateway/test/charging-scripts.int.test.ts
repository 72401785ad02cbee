import { afterAll, beforeEach, describe, expect, test } from '@jest/globals';
import { scripts, storeName } from '../src/rate-limiting/scripts.ts';
import {
  redis,
  key,
  address,
  leasingMs,
  maxAttempts,
  createStore,
  runBatch,
  run,
  inFuture,
  inPast,
  currentMinute,
  currentMonth,
  chargeArguments,
  charge,
  chargeMonth,
  getState,
  block,
} from './charging-store.ts';
import { withinMinute } from './client.ts';

// The cases of the headers of lua/*.lua.

afterAll(() => redis.disconnect());

beforeEach(async () => {
  await redis.flushdb();
  await createStore();
});

describe('the minute, by charge-request.lua', () => {
  test('each request counts, with the time of Redis and the UTC month, and the hash expires', async () => {
    await withinMinute(2_000);
    const [state, nowMs, count, month, minute] = await charge();
    expect([state, count, month, minute]).toEqual(['ok', 1, currentMonth(), currentMinute()]);
    expect(Math.abs(nowMs - Date.now())).toBeLessThan(2_000);
    expect((await charge())[2]).toBe(2);
    expect(await redis.hgetall(key)).toEqual({ minute: String(minute), count: '2' });
    expect(await redis.ttl(key)).toBeGreaterThan(39 * 24 * 3_600);
  });

  test('over the allowance nothing is charged, neither of the minute nor of the month', async () => {
    await withinMinute(2_000);
    await block();
    expect(getState(await charge({ perMinute: 1, mode: 'quota' }))).toBe('ok');
    const before = await redis.hgetall(key);
    const [state, , count] = await charge({ perMinute: 1, mode: 'quota' });
    expect([state, count]).toEqual(['rate', 1]);
    expect(await redis.hgetall(key)).toEqual(before);
  });

  test('the higher one of the stored and the observed count is used, of the same minute only', async () => {
    await withinMinute(2_000);
    const minute = currentMinute();
    expect((await charge({ observed: [minute, 7] }))[2]).toBe(8);
    expect((await charge({ observed: [minute, 3] }))[2]).toBe(9);
    expect((await charge({ observed: [minute - 1, 50] }))[2]).toBe(10);
  });

  test('a new minute starts at 1; a clock that was set back stays in its minute', async () => {
    await withinMinute(2_000);
    const minute = currentMinute();
    await redis.hset(key, { minute: minute - 1, count: 50 });
    expect((await charge()).slice(2)).toEqual([1, currentMonth(), minute]);
    await redis.hset(key, { minute: minute + 1, count: 3 });
    expect((await charge()).slice(2)).toEqual([4, currentMonth(), minute + 1]);
  });

  test('an address with too many failed attempts in this minute is refused before anything is charged', async () => {
    await withinMinute(2_000);
    await redis.hset(address, { minute: currentMinute(), count: maxAttempts });
    expect(getState(await charge())).toBe('address_blocked');
    expect(await redis.exists(key)).toBe(0);
    await redis.hset(address, { count: maxAttempts - 1 });
    expect(getState(await charge())).toBe('ok');
    await redis.hset(address, { minute: currentMinute() - 1, count: maxAttempts });
    expect(getState(await charge())).toBe('ok');
  });

  test('requests of a batch get their replies in order, and an error fails only its request', async () => {
    await redis.set('rl:broken', 'no hash');
    const args = chargeArguments({});
    const keys = [key, address, 'rl:broken', address, key, address];
    const replies = await runBatch(scripts.chargeRequest, keys, [args, args, args]);
    expect(replies).toEqual([
      expect.arrayContaining(['ok', 1]),
      { err: expect.stringContaining('WRONGTYPE') },
      expect.arrayContaining(['ok', 2]),
    ]);
  });
});

describe.each([
  ['charge-request.lua', () => charge({ mode: 'quota' }), (deadline: number) => charge({ deadline })],
  ['charge-month.lua', () => chargeMonth(), (deadline: number) => chargeMonth(deadline)],
])('the month, by %s', (_, chargeUnit, chargeBy) => {
  test('a unit of the leased block is charged', async () => {
    await block({ left: 2 });
    expect(getState(await chargeUnit())).toBe('ok');
    expect(getState(await chargeUnit())).toBe('ok');
    expect(await redis.hget(key, 'left')).toBe('0');
  });

  test('one caller at a time leases the next block, another one when its time is over', async () => {
    const [state, nowMs] = await chargeUnit();
    expect(state).toBe('lease');
    expect(await redis.hgetall(key)).toMatchObject({
      month: String(currentMonth()),
      left: '0',
      spent: '0',
      leasing: String(nowMs + leasingMs),
      store: 'token',
    });
    await redis.hset(key, { leasing: inFuture() });
    expect(getState(await chargeUnit())).toBe('wait');
    await redis.hset(key, { leasing: inPast() });
    expect(getState(await chargeUnit())).toBe('lease');
  });

  test('a month without units is refused until the next month', async () => {
    await block({ left: 0, spent: 1 });
    expect(getState(await chargeUnit())).toBe('quota');
    await block({ left: 0, spent: 1, month: 202001 });
    expect(getState(await chargeUnit())).toBe('lease');
  });

  test.each([
    ['another store', { store: 'other' }],
    ['another month', { month: 202001 }],
  ])('a block of %s does not count', async (_name, fields) => {
    await block({ left: 5, ...fields });
    expect(getState(await chargeUnit())).toBe('lease');
    expect(await redis.hmget(key, 'left', 'store')).toEqual(['0', 'token']);
  });

  test('after its deadline nothing is charged', async () => {
    await block();
    const before = await redis.hgetall(key);
    const reply = await chargeBy(inPast());
    expect([reply.length, reply[0]]).toEqual([2, 'late']);
    expect(await redis.hgetall(key)).toEqual(before);
  });

  test.each([
    ['that has not charged yet', () => createStore('another run'), 'lease'],
    ['that was flushed', () => redis.del(storeName), 'lease'],
    ['that has charged', () => createStore(), 'ok'],
  ])('a process of Redis %s: whether its blocks count', async (_name, prepare, expected) => {
    await block();
    await prepare();
    expect(getState(await chargeUnit())).toBe(expected);
    const [run, token] = await redis.hmget(storeName, 'run', 'token');
    expect([run, token === 'token']).toEqual(['run', expected === 'ok']);
    expect(await redis.hget(key, 'store')).toBe(token);
  });
});

test('unlimited and none charge no unit of the month', async () => {
  await block({ left: 2 });
  expect(getState(await charge({ mode: 'unlimited' }))).toBe('ok');
  expect(getState(await charge({ mode: 'none' }))).toBe('ok');
  expect(await redis.hget(key, 'left')).toBe('2');
});

test('charge-month.lua leaves the minute as it is', async () => {
  await block();
  await redis.hset(key, { minute: 7, count: 3 });
  const [, , count, month, minute] = await chargeMonth();
  expect([count, month, minute]).toEqual([0, currentMonth(), 0]);
  expect(await redis.hmget(key, 'minute', 'count')).toEqual(['7', '3']);
});

describe('deposit-lease.lua', () => {
  const deposit = (units: number, spent: 0 | 1, month = currentMonth()): Promise<unknown> =>
    run(scripts.depositLease, [key], [month, units, spent]);

  test('adds the units and ends the right to lease', async () => {
    await block({ left: 3, leasing: inFuture() });
    expect(await deposit(10, 0)).toBe(1);
    expect(await redis.hgetall(key)).toMatchObject({ left: '13', spent: '0', leasing: '0' });
    expect(await redis.ttl(key)).toBeGreaterThan(39 * 24 * 3_600);
  });

  test('marks the month as used up', async () => {
    await charge({ mode: 'quota' });
    expect(await deposit(0, 1)).toBe(1);
    expect(getState(await chargeMonth())).toBe('quota');
  });

  test.each([
    ['another store', { store: 'other', left: 5 }],
    ['an earlier month', { month: 202001, left: 5 }],
  ])('units of %s do not count', async (_name, fields) => {
    await block(fields);
    expect(await deposit(10, 0)).toBe(1);
    expect(await redis.hmget(key, 'month', 'left', 'store')).toEqual([`${currentMonth()}`, '10', 'token']);
  });

  test('a deposit for a month that is over, or without a store, is dropped', async () => {
    await block({ left: 5 });
    expect(await deposit(10, 0, 202001)).toBe(0);
    await redis.del(storeName);
    expect(await deposit(10, 0)).toBe(0);
    expect(await redis.hget(key, 'left')).toBe('5');
  });

  test('an error of one deposit does not affect the others', async () => {
    await redis.set('rl:broken', 'no hash');
    const args = [currentMonth(), 1, 0];
    expect(await runBatch(scripts.depositLease, ['rl:broken', key], [args, args])).toEqual([
      { err: expect.stringContaining('WRONGTYPE') },
      1,
    ]);
  });
});

describe('refund-month.lua', () => {
  const refund = (month = currentMonth()): Promise<unknown> => run(scripts.refundMonth, [key], [month]);

  test('adds one unit to the block of the month', async () => {
    await block({ left: 3 });
    expect(await refund()).toBe(1);
    expect(await redis.hget(key, 'left')).toBe('4');
  });

  test.each([
    ['another store', { store: 'other', left: 5, spent: 1 }],
    ['an earlier month', { month: 202001, left: 5, spent: 1 }],
  ])('replaces a block of %s', async (_name, fields) => {
    await block(fields);
    expect(await refund()).toBe(1);
    expect(await redis.hgetall(key)).toMatchObject({ left: '1', spent: '0', store: 'token' });
    expect(getState(await chargeMonth())).toBe('ok');
  });

  test('a refund for a month that is over, or without a store, is dropped', async () => {
    await block({ left: 5 });
    expect(await refund(202001)).toBe(0);
    await redis.del(storeName);
    expect(await refund()).toBe(0);
    expect(await redis.hget(key, 'left')).toBe('5');
  });
});

describe('count-attempt.lua', () => {
  const attempt = async (deadline = inFuture()): Promise<number[]> =>
    (await run(scripts.countAttempt, [address], [deadline])) as number[];

  test('counts the attempts of the minute, also without a store', async () => {
    await withinMinute(2_000);
    await redis.del(storeName);
    const [nowMs = 0, minute, count] = await attempt();
    expect([minute, count]).toEqual([currentMinute(), 1]);
    expect(Math.abs(nowMs - Date.now())).toBeLessThan(2_000);
    expect((await attempt())[2]).toBe(2);
    expect(await redis.ttl(address)).toBeGreaterThan(110);
    await redis.hset(address, { minute: currentMinute() - 1, count: 19 });
    expect((await attempt())[2]).toBe(1);
  });

  test('after its deadline an attempt is not counted', async () => {
    expect((await attempt(inPast()))[2]).toBe(-1);
    expect(await redis.exists(address)).toBe(0);
  });
});
