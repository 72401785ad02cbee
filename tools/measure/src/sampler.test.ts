import { expect, test } from '@jest/globals';
import { execFile } from 'node:child_process';
import { availableParallelism } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { createSampler } from './sampler.ts';

/** Six busy programs per processor. They are not children of this process, so they count as other load. */
async function startOtherLoad(): Promise<() => void> {
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

/** Work of this process: next to the other load it gets a seventh of a processor, otherwise nearly a whole one. */
function work(): Promise<void> {
  const until = performance.now() + 300;
  while (performance.now() < until);
  return Promise.resolve();
}

const maxOtherShare = 1 - 0.5 / availableParallelism();
const options = { maxOtherShare, maxRetries: 60, report: () => undefined };

test('repeats a disturbed sample until the other load ends', async () => {
  const leave = await startOtherLoad();
  const reports: string[] = [];
  const sampler = createSampler({ ...options, report: (text) => reports.push(text) });
  let taken = 0;
  try {
    const sample = await sampler.sample('list', async () => {
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
  expect(sampler.summary().retries).toBe(taken - 1);
  expect(reports).toHaveLength(taken - 1);
  expect(reports[0]).toMatch(/^list: other load used \d+ % of the CPU time, repeating/);
});

test('rejects on a machine that stays busy, unless forced', async () => {
  const leave = await startOtherLoad();
  try {
    await expect(createSampler({ ...options, maxRetries: 1 }).sample('list', work)).rejects.toThrow(
      'other load disturbed 2 samples: the machine is too busy for figures (--force)',
    );
    const forced = createSampler({ ...options, maxRetries: 0, force: true });
    await forced.sample('list', work);
    const { retries, maxOthers } = forced.summary();
    expect(retries).toBe(0);
    expect(maxOthers).toBeGreaterThan(maxOtherShare);
  } finally {
    leave();
  }
});
