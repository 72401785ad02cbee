import { expect, test } from '@jest/globals';
import { execFile } from 'node:child_process';
import { availableParallelism } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { samplesInPeace } from './in-peace.ts';

/** Programs of somebody else's, six for each processor, busy for seconds: their parent has gone. */
async function startStrangers(): Promise<() => void> {
  const busy = 'const end = Date.now() + 20_000; while (Date.now() < end);';
  const start = `'${process.execPath}' -e '${busy}' >/dev/null 2>&1 & echo $!;`;
  const { stdout } = await promisify(execFile)('sh', ['-c', start.repeat(6 * availableParallelism())]);
  await sleep(500);
  return () => stdout.trim().split('\n').map(Number).forEach(stop);
}

function stop(pid: number): void {
  try {
    process.kill(pid);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}

/** Work of this process: beside the strangers it gets a seventh of a processor, otherwise nearly a whole one. */
function work(): Promise<void> {
  const until = performance.now() + 300;
  while (performance.now() < until);
  return Promise.resolve();
}

const othersMost = 1 - 0.5 / availableParallelism();
const options = { othersMost, againMost: 60, say: () => undefined };

test('a sample that others disturbed is taken again until they leave', async () => {
  const leave = await startStrangers();
  const heard: string[] = [];
  const peace = samplesInPeace({ ...options, say: (text) => heard.push(text) });
  let taken = 0;
  try {
    const sample = await peace.sample('list', async () => {
      taken += 1;
      await work();
      if (taken === 2) leave();
      return taken;
    });
    expect(sample).toBe(taken);
  } finally {
    leave();
  }
  expect(taken).toBeGreaterThan(2);
  expect(peace.told().again).toBe(taken - 1);
  expect(heard).toHaveLength(taken - 1);
  expect(heard[0]).toMatch(/^list: others had \d+ % of the work, again/);
});

test('a machine that is never left alone has no figures, unless they are wanted all the same', async () => {
  const leave = await startStrangers();
  try {
    await expect(samplesInPeace({ ...options, againMost: 1 }).sample('list', work)).rejects.toThrow(
      'others disturbed 2 samples: the machine is too busy for figures (--force)',
    );
    const forced = samplesInPeace({ ...options, againMost: 0, force: true });
    await forced.sample('list', work);
    const { again, others } = forced.told();
    expect(again).toBe(0);
    expect(others).toBeGreaterThan(othersMost);
  } finally {
    leave();
  }
});
