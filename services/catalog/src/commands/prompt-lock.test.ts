import { setImmediate as nextTurn } from 'node:timers/promises';
import { ApiError } from '@bv/contract';
import { expect, test } from '@jest/globals';
import { createPromptQueue } from './prompt-lock.ts';

const busy = (): Promise<never> => Promise.reject(new ApiError('prompt_writes_busy'));

test('writes of one brand run one by one in order of arrival; another brand does not wait', async () => {
  const queue = createPromptQueue(async () => false);
  const events: string[] = [];
  const write = (name: string) => async () => {
    events.push(`${name} begins`);
    await nextTurn();
    events.push(`${name} ends`);
  };
  await Promise.all([
    queue.run('a', write('1')),
    queue.run('a', write('2')),
    queue.run('a', write('3')),
    queue.run('b', async () => events.push('other')),
  ]);
  expect(events.filter((event) => event !== 'other')).toEqual(
    ['1', '2', '3'].flatMap((name) => [`${name} begins`, `${name} ends`]),
  );
  expect(events.indexOf('other')).toBeLessThan(events.indexOf('1 ends'));
});

test('a busy write is retried until it succeeds, and rejected after the timeout', async () => {
  const queue = createPromptQueue(async () => false);
  let runs = 0;
  const third = () => ((runs += 1) < 3 ? busy() : Promise.resolve('done'));
  expect(await queue.run('a', third)).toBe('done');
  await expect(queue.run('a', busy, 50)).rejects.toMatchObject({ code: 'prompt_writes_busy' });
  await expect(queue.run('a', busy, 0)).rejects.toMatchObject({ code: 'prompt_writes_busy' });
});

test('after the timeout in the queue the write runs once: it may have a recorded response', async () => {
  const queue = createPromptQueue(async () => false);
  let finish = (): void => undefined;
  const first = queue.run('a', () => new Promise<void>((resolve) => (finish = resolve)));
  expect(await queue.run('a', async () => 'recorded', 30)).toBe('recorded');
  expect(await queue.run('a', async () => 'recorded', 0)).toBe('recorded');
  finish();
  await first;
  expect(await queue.run('a', async () => 'next')).toBe('next');
});

test('an error other than busy is thrown at once, and the next write runs', async () => {
  const queue = createPromptQueue(async () => false);
  let runs = 0;
  const failing = () => {
    runs += 1;
    return Promise.reject(new Error('broken'));
  };
  await expect(queue.run('a', failing)).rejects.toThrow('broken');
  expect(runs).toBe(1);
  expect(await queue.run('a', async () => 'next')).toBe('next');
});
