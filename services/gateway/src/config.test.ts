import { expect, test } from '@jest/globals';
import { readConfig } from './config.ts';

const key = `1:${Buffer.alloc(32, 7).toString('base64')}`;
const url = 'http://127.0.0.1:8081';
const required = {
  DATABASE_URL: 'postgres://user:password@localhost/bv',
  NATS_URL: 'nats://localhost',
  REDIS_URL: 'redis://localhost',
  CALLER_SECRETS: 'a-secret-of-the-caller-header',
  OPERATOR_TOKEN: 'a-token-of-the-operator',
  CATALOG_URL: url,
  RESULTS_URL: url,
  SCANS_URL: url,
  WEBHOOKS_URL: url,
  CURSOR_KEYS: key,
  KEY_PEPPERS: key,
  IDEMPOTENCY_KEYS: key,
};

test.each(['EDGE_DATABASE_TIMEOUT_MS', 'REDIS_TIMEOUT_MS'])('%s ends before a request does', (name) => {
  const env = { ...required, UPSTREAM_TIMEOUT_MS: '5000' };
  expect(readConfig({ ...env, [name]: '4999' })).toMatchObject({ [name]: 4_999 });
  expect(() => readConfig({ ...env, [name]: '5000' })).toThrow(`${name}: expected less than UPSTREAM`);
});
