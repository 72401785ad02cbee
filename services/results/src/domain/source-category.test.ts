import { expect, test } from '@jest/globals';
import { registrableDomain } from './registrable-domain.ts';
import { categoryOf } from './source-category.ts';

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
  expect(categoryOf(domain, tracked)).toBe(category);
});

test.each([
  ['https://www.bbc.co.uk/news', 'bbc.co.uk'],
  ['shop.acme.com', 'acme.com'],
  ['acme.github.io', 'acme.github.io'],
  ['192.0.2.1', '192.0.2.1'],
])('registrable domain of %s', (input, domain) => {
  expect(registrableDomain(input)).toBe(domain);
});
