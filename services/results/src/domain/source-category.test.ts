import { expect, test } from '@jest/globals';
import { classifyDomain } from './source-category.ts';

const tracked = { own: 'acme.com', competitors: new Set(['rival.co.uk', 'wikipedia.org']) };

test.each([
  ['acme.com', 'own'],
  ['rival.co.uk', 'competitor'],
  ['wikipedia.org', 'competitor'],
  ['reddit.com', 'forum'],
  ['mit.edu', 'academic'],
  ['ox.ac.uk', 'academic'],
  ['nih.gov', 'institution'],
  ['service.gov.uk', 'institution'],
  ['example.net', 'other'],
])('%s is %s', (domain, category) => {
  expect(classifyDomain(domain, tracked)).toBe(category);
});
