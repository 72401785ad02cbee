import { describe, expect, it } from '@jest/globals';
import { filesToRepeat, summaryLine, mergeRepeated } from './summary.ts';

const file = (path: string, passed: number, failed = 0, skipped = 0) => ({ path, passed, failed, skipped });

describe('summaryLine', () => {
  it('counts what passed and what failed', () => {
    expect(summaryLine([file('a', 12)])).toBe('12 passed, 0 failed');
    expect(summaryLine([file('a', 1), file('b', 2, 2)])).toBe('3 passed, 2 failed');
  });

  it('names skipped tests only when there are any', () => {
    expect(summaryLine([file('a', 0, 0, 3)])).toBe('0 passed, 0 failed, 3 skipped');
  });
});

describe('filesToRepeat', () => {
  const files = [file('a', 1), file('b', 3, 1), file('c', 0, 2)];

  it('returns the failed files when CPU steal was high', () => {
    expect(filesToRepeat(files, 0.3)).toEqual(['b', 'c']);
  });

  it('returns nothing when CPU steal was low, all files passed, or many failed', () => {
    expect(filesToRepeat(files, 0.1)).toEqual([]);
    expect(filesToRepeat([file('a', 1)], 0.3)).toEqual([]);
    const many = Array.from({ length: 11 }, (_, index) => file(`f${index}`, 0, 1));
    expect(filesToRepeat(many, 0.3)).toEqual([]);
  });
});

it('counts a repeated file once, with its last result', () => {
  const all = mergeRepeated(
    [file('a', 1), file('b', 3, 1), file('c', 0, 2)],
    [file('b', 4), file('c', 1, 1)],
  );
  expect(summaryLine(all)).toBe('6 passed, 1 failed');
});
