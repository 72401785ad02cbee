import { expect, test } from '@jest/globals';
import { isPublicHost } from './public-host.ts';

test.each([
  ['ft.com', true],
  ['www.bbc.co.uk', true],
  ['gov.uk', true],
  ['carrd.co', true],
  ['Weather information for San Francisco, CA, US', false],
  ['Node.js', false],
  ['Version 2.0', false],
  ['3.14', false],
  ['localhost', false],
])('%s names a public host: %s', (text, expected) => {
  expect(isPublicHost(text)).toBe(expected);
});
