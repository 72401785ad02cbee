import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { readFigures } from './figures.ts';
import { toSizing } from './sizing.ts';

const page = readFileSync(join(import.meta.dirname, '../../../docs/capacity-planning.md'), 'utf8');

test('the formulas give the last column of the table', () => {
  const figures = readFigures(page);
  const { allProcesses, connections } = toSizing(figures, figures.organisations);
  // The page rounds the requests per second, which may cost a process.
  expect(Math.abs(allProcesses - figures.processes)).toBeLessThanOrEqual(1);
  expect(Math.abs(connections - figures.connectionsInTable)).toBeLessThanOrEqual(20);
});

test('a changed cost changes the model', () => {
  const slower = readFigures(page.replace(/(\| catalog, processes +\| Q × )[\d.]+/, '$18.5'));
  expect(slower.milliseconds.catalog).toBe(8.5);
});

test('a row that is missing is named', () => {
  expect(() => readFigures(page.replaceAll('| Delivery ', '| Something '))).toThrow('Delivery');
});
