import { expect, test } from '@jest/globals';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describeComparison, type ScoreComparison } from './index.ts';

type Scenario = { id: string; title: string; comparison: ScoreComparison; expected: { text: string } };

const path = join(import.meta.dirname, '../../sdk-scenarios/comparisons.json');
const { scenarios } = JSON.parse(readFileSync(path, 'utf8')) as { scenarios: Scenario[] };

test.each(scenarios)('$id: $title', ({ comparison, expected }) => {
  expect(describeComparison(comparison)).toBe(expected.text);
});
