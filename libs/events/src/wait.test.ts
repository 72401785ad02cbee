import { expect, test } from '@jest/globals';
import { matches } from './wait.ts';

test.each([
  ['events.catalog.>', 'events.catalog.brand.changed.v1', true],
  ['events.catalog.>', 'events.scans.unit.finalised.v1', false],
  ['events.catalog.>', 'events.catalog', false],
  ['events.catalog.>', 'events.catalogue.brand.changed.v1', false],
  ['events.*.brand.>', 'events.catalog.brand.changed.v1', true],
  ['events.catalog.brand.changed.v1', 'events.catalog.brand.changed.v1', true],
  ['events.catalog.brand', 'events.catalog.brand.changed.v1', false],
  ['>', 'events.catalog', true],
])('%s and %s: %s', (filter, subject, expected) => {
  expect(matches(filter, subject)).toBe(expected);
});
