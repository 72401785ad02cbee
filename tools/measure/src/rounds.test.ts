import { expect, test } from '@jest/globals';
import { measureRounds, pairRounds, ratioText } from './rounds.ts';
import { createSampler } from './sampler.ts';

test('measures targets forwards and backwards in turn, after a round that warms up', async () => {
  const taken: string[] = [];
  const reports: string[] = [];
  const target = (name: string) => ({
    name,
    measure: async () => taken.push(name),
  });
  const samples = await measureRounds([target('own'), target('bare')], {
    rounds: 2,
    sampler: createSampler({ force: true, report: () => undefined }),
    report: (text) => reports.push(text),
    describe: (sample) => `sample ${sample}`,
  });
  expect(taken).toEqual(['own', 'bare', 'bare', 'own', 'own', 'bare']);
  expect(samples).toEqual([
    [4, 5],
    [3, 6],
  ]);
  expect(reports.slice(0, 3)).toEqual([
    'warm-up, own: sample 1',
    'warm-up, bare: sample 2',
    'round 1 of 2, bare: sample 3',
  ]);
});

test('repeats what the sampler does not accept, except to warm up', async () => {
  let taken = 0;
  const measure = async (): Promise<number> => (taken += 1);
  const sampler = {
    sample: async <T>(_name: string, take: () => Promise<T>): Promise<T> => {
      await take();
      return take();
    },
    summary: () => ({ retries: 0, maxOthers: 0 }),
  };
  const describe = String;
  const report = (): void => undefined;
  const samples = await measureRounds([{ name: 'own', measure }], { rounds: 2, sampler, report, describe });
  expect(samples).toEqual([[3, 5]]);
});

test('two targets are compared round by round', () => {
  // The machine was ten times as slow in the second round.
  const [own, base] = [
    [2, 20, 9],
    [1, 10, 2],
  ].map((costs) => costs.map((ms) => ({ ms })));
  const pairs = pairRounds(own ?? [], base ?? [], ({ ms }) => ms);
  expect(ratioText(pairs)).toBe('2.00 (2.00, 2.00, 4.50)');
});
