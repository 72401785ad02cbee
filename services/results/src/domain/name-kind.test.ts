import { nameKey } from '@bv/extraction';
import { expect, test } from '@jest/globals';
import { nameKind } from './name-kind.ts';

test.each([
  ['HubSpot', 'hubspot.com', 'brand'],
  ['HubSpot', null, 'unknown'],
  ['TechCrunch', null, 'publisher'],
  ['Tech Crunch', 'tech.example', 'publisher'],
  ['The Lab', 'mit.edu', 'publisher'],
  ['Amazon', null, 'marketplace'],
  ['Amazon.de', 'amazon.de', 'marketplace'],
])('%s (%s) is %s', (name, domain, kind) => {
  expect(nameKind({ key: nameKey(name), domain })).toBe(kind);
});
