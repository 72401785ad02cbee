import { nameKey } from '@bv/extraction';
import { expect, test } from '@jest/globals';
import { nameKind } from './name-kind.ts';

test.each([
  ['HubSpot', 'hubspot.com', null, 'brand'],
  ['HubSpot', 'hubspot.com', 'unknown', 'brand'],
  ['HubSpot', null, null, 'unknown'],
  ['HubSpot', null, 'brand', 'brand'],
  ['TechCrunch', null, 'brand', 'publisher'],
  ['Tech Crunch', 'tech.example', null, 'publisher'],
  ['The Lab', 'mit.edu', null, 'publisher'],
  ['Lab Notes', 'labnotes.com', 'publisher', 'publisher'],
  ['Amazon', null, null, 'marketplace'],
  ['Amazon.de', 'amazon.de', null, 'marketplace'],
] as const)('%s (%s), judged %s, is %s', (name, domain, judged, kind) => {
  expect(nameKind({ key: nameKey(name), domain, judged })).toBe(kind);
});
