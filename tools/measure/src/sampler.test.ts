import { expect, test } from '@jest/globals';
import type { MachineUse } from './machine.ts';
import { createSampler } from './sampler.ts';

const quiet: MachineUse = { own: 0.4, others: 0.1 };
const disturbed: MachineUse = { own: 0.1, others: 0.8 };

/** Takes samples during which the machine was used so, one after the other. */
function createTestSampler(
  uses: readonly MachineUse[],
  options: { maxRetries?: number; force?: boolean } = {},
) {
  const reports: string[] = [];
  const left = [...uses];
  const started: MachineUse[] = [];
  const startUse = () => {
    const use = left.shift();
    if (use === undefined) throw new Error('no further sample was expected');
    started.push(use);
    return () => use;
  };
  const report = (text: string): void => void reports.push(text);
  const sampler = createSampler({ maxOtherShare: 0.25, ...options, report, startUse });
  return { sampler, reports, sample: () => sampler.sample('list', () => Promise.resolve(started.length)) };
}

test('repeats a disturbed sample until the other load ends', async () => {
  const { sampler, reports, sample } = createTestSampler([disturbed, disturbed, quiet]);
  expect(await sample()).toBe(3);
  // Of the CPU time that was used: a fifth, although others used a tenth of the machine.
  expect(sampler.summary()).toEqual({ retries: 2, maxOthers: 0.2 });
  expect(reports).toEqual(Array(2).fill('list: other load used 89 % of the CPU time, repeating ...'));
});

test('rejects on a machine that stays busy', async () => {
  const { sample } = createTestSampler([disturbed, disturbed], { maxRetries: 1 });
  await expect(sample()).rejects.toThrow(
    'other load disturbed 2 samples: the machine is too busy for figures (--force)',
  );
});

test('accepts a disturbed sample if it is forced', async () => {
  const { sampler, sample } = createTestSampler([disturbed], { maxRetries: 0, force: true });
  expect(await sample()).toBe(1);
  expect(sampler.summary()).toEqual({ retries: 0, maxOthers: disturbed.others / 0.9 });
});
