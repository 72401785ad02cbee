import { expect, test } from '@jest/globals';
import { SourceList } from './sources.ts';

test('the site of a public suffix is a source, a private address is not', () => {
  const sources = new SourceList();
  for (const url of [
    'https://www.carrd.co/pricing',
    'https://acme.carrd.co/',
    'https://gov.uk/vat',
    'https://www.nhs.uk/',
    'https://192.0.2.1/a',
    'https://[2001:db8::1]/a',
    'https://localhost:3000/a',
    'https://intranet/a',
  ])
    sources.cite({ url });
  expect(sources.toCitations().sources.map(({ url, domain }) => [url, domain])).toEqual([
    ['https://www.carrd.co/pricing', 'carrd.co'],
    ['https://acme.carrd.co/', 'acme.carrd.co'],
    ['https://gov.uk/vat', 'gov.uk'],
    ['https://www.nhs.uk/', 'nhs.uk'],
  ]);
});
