import { describe, expect, test } from '@jest/globals';
import { precision, recall } from './score-labelled.ts';
import { readTraps, scoreTraps, toTrapReport, trapKinds, trapTargets, type Trap } from './score-traps.ts';

const halves = { tuned: readTraps('tuned'), 'held-out': readTraps('held-out') };
const all = Object.values(halves).flat();

/** Matching characters only, so that two texts that differ in case or marks are the same. */
function squash(text: string): string {
  return text.toLowerCase().replaceAll(/[^\p{L}\p{N}]/gu, '');
}

describe.each(Object.entries(halves))('%s traps', (name, traps) => {
  const scored = traps.filter(({ remedy }) => remedy === undefined);

  test('precision and recall of mentions reach the targets', () => {
    const score = scoreTraps(traps);
    process.stdout.write(`${toTrapReport(name, score).join('\n')}\n`);
    expect(precision(score.all)).toBeGreaterThanOrEqual(trapTargets.precision);
    expect(recall(score.all)).toBeGreaterThanOrEqual(trapTargets.recall);
    expect(score.rightCounts).toBe(score.counted);
  });

  test('at least 120 count, in at least twelve languages', () => {
    expect(scored.length).toBeGreaterThanOrEqual(120);
    expect(new Set(scored.map(({ language }) => language)).size).toBeGreaterThanOrEqual(12);
  });

  test('every kind has mentions and other passages, in several languages', () => {
    for (const kind of trapKinds) {
      const ofKind = scored.filter((trap) => trap.kind === kind);
      expect(ofKind.some(({ mentioned }) => mentioned)).toBe(true);
      expect(ofKind.some(({ mentioned }) => !mentioned)).toBe(true);
      expect(new Set(ofKind.map(({ language }) => language)).size).toBeGreaterThanOrEqual(4);
    }
  });

  test('mentions are 40 to 60 %, so that finding all or none misses the target', () => {
    const share = scored.filter(({ mentioned }) => mentioned).length / scored.length;
    expect(share).toBeGreaterThanOrEqual(0.4);
    expect(share).toBeLessThanOrEqual(0.6);
  });

  test('at most 10 % are left to verify', () => {
    expect((traps.length - scored.length) / traps.length).toBeLessThanOrEqual(0.1);
  });

  test('an excluded phrase has at most 100 characters and the rules decide something', () => {
    for (const { brand } of traps) {
      const { match } = brand;
      if (match === undefined) continue;
      expect(match.case_sensitive || match.exclude.length > 0).toBe(true);
      for (const phrase of match.exclude) expect(phrase.length).toBeLessThanOrEqual(100);
    }
  });
});

test('ids are unique', () => {
  expect(new Set(all.map(({ id }) => id)).size).toBe(all.length);
});

test('no text and no brand is in both halves', () => {
  const shared = (toKey: (trap: Trap) => string): string[] => {
    const tuned = new Set(halves.tuned.map(toKey));
    return halves['held-out'].map(toKey).filter((key) => tuned.has(key));
  };
  expect(shared(({ text }) => squash(text))).toEqual([]);
  expect(shared(({ brand }) => squash(brand.name))).toEqual([]);
});

test('a passage left to verify does not change the score', () => {
  const left = all.filter(({ remedy }) => remedy === 'verify');
  expect(left.length).toBeGreaterThan(0);
  expect(scoreTraps(left).all).toEqual(scoreTraps([]).all);
});
