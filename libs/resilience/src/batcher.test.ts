import { describe, expect, test } from '@jest/globals';
import { setTimeout as sleep } from 'node:timers/promises';
import { createBatcher } from './batcher.ts';

type Batch = {
  calls: readonly number[];
  reply: (replies: (string | Error)[]) => void;
  fail: (error: Error) => void;
};

function createTestBatcher(
  options: Partial<
    Record<'maxInFlight' | 'lingerMs' | 'maxDelayMs' | 'maxBatchSize' | 'timeoutMs', number>
  > = {},
) {
  const sent: Batch[] = [];
  const call = createBatcher<number, string>({
    maxBatchSize: 100,
    maxInFlight: 1,
    timeoutMs: 5_000,
    ...options,
    send: (calls) => new Promise((reply, fail) => sent.push({ calls, reply, fail })),
  });
  return { call, sent };
}

const getFailure = (reply: Promise<string>): Promise<string> =>
  reply.then(
    () => 'none',
    (error: Error) => error.message,
  );

const tick = (): Promise<void> => sleep(5);

describe('calls', () => {
  test('of one callback are sent together, each with its own reply', async () => {
    const { call, sent } = createTestBatcher();
    const replies = Promise.all([call(1), call(2)]);
    await tick();
    expect(sent.map(({ calls }) => calls)).toEqual([[1, 2]]);
    sent[0]?.reply(['one', 'two']);
    expect(await replies).toEqual(['one', 'two']);
  });

  test('of several callbacks are sent together within the linger time', async () => {
    const { call, sent } = createTestBatcher({ lingerMs: 50 });
    const replies = [call(1)];
    await tick();
    replies.push(call(2));
    await sleep(100);
    expect(sent.map(({ calls }) => calls)).toEqual([[1, 2]]);
    sent[0]?.reply(['one', 'two']);
    expect(await Promise.all(replies)).toEqual(['one', 'two']);
  });

  test('never join a batch that was sent, and wait for it at the maximum of batches in flight', async () => {
    const { call, sent } = createTestBatcher();
    const first = call(1);
    await tick();
    const later = [call(2), call(3)];
    await tick();
    expect(sent).toHaveLength(1);
    sent[0]?.reply(['one']);
    expect(await first).toBe('one');
    await tick();
    expect(sent.map(({ calls }) => calls)).toEqual([[1], [2, 3]]);
    sent[1]?.reply(['two', 'three']);
    expect(await Promise.all(later)).toEqual(['two', 'three']);
  });

  test('are sent next to a slow batch after the maximum delay, then wait for any batch to end', async () => {
    const { call, sent } = createTestBatcher({ maxInFlight: 2, maxDelayMs: 50 });
    const slow = call(1);
    await tick();
    const concurrent = [call(2), call(3)];
    await tick();
    expect(sent).toHaveLength(1);
    await sleep(100);
    const last = call(4);
    await sleep(100);
    expect(sent.map(({ calls }) => calls)).toEqual([[1], [2, 3]]);
    sent[1]?.reply(['two', 'three']);
    expect(await Promise.all(concurrent)).toEqual(['two', 'three']);
    await sleep(100);
    expect(sent.map(({ calls }) => calls)).toEqual([[1], [2, 3], [4]]);
    sent[2]?.reply(['four']);
    sent[0]?.reply(['one']);
    expect(await Promise.all([slow, last])).toEqual(['one', 'four']);
  });

  test('above the maximum size of a batch are sent in several', async () => {
    const { call, sent } = createTestBatcher({ maxBatchSize: 2, maxInFlight: 2 });
    const replies = Promise.all([1, 2, 3].map(call));
    await tick();
    expect(sent.map(({ calls }) => calls)).toEqual([[1, 2], [3]]);
    sent[0]?.reply(['one', 'two']);
    sent[1]?.reply(['three']);
    expect(await replies).toEqual(['one', 'two', 'three']);
  });
});

describe('a failure', () => {
  test('of one call rejects only this call', async () => {
    const { call, sent } = createTestBatcher();
    const replies = Promise.allSettled([call(1), call(2)]);
    await tick();
    sent[0]?.reply([new Error('no'), 'two']);
    expect((await replies).map(({ status }) => status)).toEqual(['rejected', 'fulfilled']);
  });

  test('of a batch rejects its calls, and the next batch is sent', async () => {
    const { call, sent } = createTestBatcher();
    const failing = getFailure(call(1));
    await tick();
    const next = call(2);
    sent[0]?.fail(new Error('down'));
    expect(await failing).toBe('down');
    await tick();
    sent[1]?.reply(['two']);
    expect(await next).toBe('two');
  });

  test('to reply in time rejects the waiting calls too, and they are not sent', async () => {
    const { call, sent } = createTestBatcher({ timeoutMs: 50 });
    const stuck = getFailure(call(1));
    await tick();
    const behind = getFailure(call(2));
    expect(await Promise.all([stuck, behind])).toEqual(Array(2).fill('no reply within 50 ms'));
    const next = call(3);
    sent[0]?.reply(['late']);
    await tick();
    expect(sent.map(({ calls }) => calls)).toEqual([[1], [3]]);
    sent[1]?.reply(['three']);
    expect(await next).toBe('three');
  });

  test('to reply is not an error without a timeout', async () => {
    const call = createBatcher<number, string>({
      maxBatchSize: 100,
      maxInFlight: 1,
      send: (calls) => sleep(100, calls.map(String)),
    });
    expect(await Promise.all([call(1), call(2)])).toEqual(['1', '2']);
  });
});
