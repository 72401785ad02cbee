import { expect, test } from '@jest/globals';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  describeComparison,
  describeExperiment,
  describePrecision,
  type Experiment,
  type Precision,
  type ScoreComparison,
} from './index.ts';

type Scenario<Given> = Given & { id: string; title: string; expected: { text: string } };

function load<Given>(name: string): Scenario<Given>[] {
  const path = join(import.meta.dirname, '../../sdk-scenarios', `${name}.json`);
  return (JSON.parse(readFileSync(path, 'utf8')) as { scenarios: Scenario<Given>[] }).scenarios;
}

test.each(load<{ comparison: ScoreComparison }>('comparisons'))('$id: $title', ({ comparison, expected }) => {
  expect(describeComparison(comparison)).toBe(expected.text);
});

test.each(load<{ precision: Precision }>('precisions'))('$id: $title', ({ precision, expected }) => {
  expect(describePrecision(precision)).toBe(expected.text);
});

test.each(load<{ experiment: Experiment }>('experiments'))('$id: $title', ({ experiment, expected }) => {
  expect(describeExperiment(experiment)).toBe(expected.text);
});
