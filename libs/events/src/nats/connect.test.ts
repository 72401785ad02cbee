import { expect, test } from '@jest/globals';
import { parseServers } from './connect.ts';

test.each([
  ['nats://localhost', { servers: ['localhost:4222'] }],
  ['nats://a:4223, nats://b:4224', { servers: ['a:4223', 'b:4224'] }],
  ['nats://user:p%40ss@a:4222', { servers: ['a:4222'], user: 'user', pass: 'p@ss' }],
  ['nats://s3cret@a', { servers: ['a:4222'], token: 's3cret' }],
  ['tls://[::1]:4222', { servers: ['[::1]:4222'], tls: {} }],
])('%s', (url, expected) => {
  expect(parseServers(url)).toEqual(expected);
});

test.each(['', 'localhost:4222', 'http://localhost', 'nats://'])('%j is refused', (url) => {
  expect(() => parseServers(url)).toThrow();
});
