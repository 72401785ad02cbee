import { describe, expect, test } from '@jest/globals';
import { setTimeout as sleep } from 'node:timers/promises';
import { gather } from './gather.ts';

type Batch = {
  calls: readonly number[];
  answer: (answers: (string | Error)[]) => void;
  fail: (error: Error) => void;
};

function createGathered(
  options: { inFlightMax?: number; patienceMs?: number; batchMax?: number; timeoutMs?: number } = {},
) {
  const sent: Batch[] = [];
  const ask = gather<number, string>({
    batchMax: 100,
    inFlightMax: 1,
    timeoutMs: 5_000,
    ...options,
    send: (calls) => new Promise((answer, fail) => sent.push({ calls, answer, fail })),
  });
  return { ask, sent };
}

const failureOf = (answer: Promise<string>): Promise<string> =>
  answer.then(
    () => 'none',
    (error: Error) => error.message,
  );

const tick = (): Promise<void> => sleep(5);

describe('calls', () => {
  test('of one callback go out together, each with its own answer', async () => {
    const { ask, sent } = createGathered();
    const answers = Promise.all([ask(1), ask(2)]);
    await tick();
    expect(sent.map(({ calls }) => calls)).toEqual([[1, 2]]);
    sent[0]?.answer(['one', 'two']);
    expect(await answers).toEqual(['one', 'two']);
  });

  test('never join a batch that was sent, and wait for it where no more may be under way', async () => {
    const { ask, sent } = createGathered();
    const first = ask(1);
    await tick();
    const later = [ask(2), ask(3)];
    await tick();
    expect(sent).toHaveLength(1);
    sent[0]?.answer(['one']);
    expect(await first).toBe('one');
    await tick();
    expect(sent.map(({ calls }) => calls)).toEqual([[1], [2, 3]]);
    sent[1]?.answer(['two', 'three']);
    expect(await Promise.all(later)).toEqual(['two', 'three']);
  });

  test('go out beside a batch that is slow, once patience has ended, and then wait for any to end', async () => {
    const { ask, sent } = createGathered({ inFlightMax: 2, patienceMs: 50 });
    const slow = ask(1);
    await tick();
    const beside = [ask(2), ask(3)];
    await tick();
    expect(sent).toHaveLength(1);
    await sleep(100);
    const last = ask(4);
    await sleep(100);
    expect(sent.map(({ calls }) => calls)).toEqual([[1], [2, 3]]);
    sent[1]?.answer(['two', 'three']);
    expect(await Promise.all(beside)).toEqual(['two', 'three']);
    await sleep(100);
    expect(sent.map(({ calls }) => calls)).toEqual([[1], [2, 3], [4]]);
    sent[2]?.answer(['four']);
    sent[0]?.answer(['one']);
    expect(await Promise.all([slow, last])).toEqual(['one', 'four']);
  });

  test('above the most of one batch go out in several', async () => {
    const { ask, sent } = createGathered({ batchMax: 2, inFlightMax: 2 });
    const answers = Promise.all([1, 2, 3].map(ask));
    await tick();
    expect(sent.map(({ calls }) => calls)).toEqual([[1, 2], [3]]);
    sent[0]?.answer(['one', 'two']);
    sent[1]?.answer(['three']);
    expect(await answers).toEqual(['one', 'two', 'three']);
  });
});

describe('a failure', () => {
  test('of one call is its own', async () => {
    const { ask, sent } = createGathered();
    const answers = Promise.allSettled([ask(1), ask(2)]);
    await tick();
    sent[0]?.answer([new Error('no'), 'two']);
    expect((await answers).map(({ status }) => status)).toEqual(['rejected', 'fulfilled']);
  });

  test('of a batch is that of its calls, and the next goes out', async () => {
    const { ask, sent } = createGathered();
    const failing = failureOf(ask(1));
    await tick();
    const next = ask(2);
    sent[0]?.fail(new Error('down'));
    expect(await failing).toBe('down');
    await tick();
    sent[1]?.answer(['two']);
    expect(await next).toBe('two');
  });

  test('to answer in time is told to those who wait behind it too, and they are not sent any more', async () => {
    const { ask, sent } = createGathered({ timeoutMs: 50 });
    const stuck = failureOf(ask(1));
    await tick();
    const behind = failureOf(ask(2));
    expect(await Promise.all([stuck, behind])).toEqual(Array(2).fill('no answer within 50 ms'));
    const next = ask(3);
    sent[0]?.answer(['late']);
    await tick();
    expect(sent.map(({ calls }) => calls)).toEqual([[1], [3]]);
    sent[1]?.answer(['three']);
    expect(await next).toBe('three');
  });
});
