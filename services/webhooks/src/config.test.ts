import { describe, expect, test } from '@jest/globals';
import { readConfig } from './config.ts';

const env = {
  DATABASE_URL: 'postgres://localhost/x',
  NATS_URL: 'nats://localhost',
  CALLER_SECRETS: 'a secret of the gateway',
  CURSOR_KEYS: `1:${Buffer.alloc(32).toString('base64')}`,
  WEBHOOKS_SECRET_KEYS: `2026-11:${Buffer.alloc(32, 1).toString('base64')},old:${Buffer.alloc(32).toString('base64')}`,
};
const override = { WEBHOOKS_ALLOW_PRIVATE_IN_PRODUCTION: 'true' };

describe('readConfig', () => {
  test('the defaults match the contract: ten attempts, public https receivers only', () => {
    const config = readConfig(env);
    expect(config.WEBHOOKS_SCHEDULE_MS.reduce((sum, delay) => sum + delay, 0)).toBe(
      (75 * 60 + 35) * 60_000 + 5_000,
    );
    expect(config.WEBHOOKS_SCHEDULE_MS).toHaveLength(10);
    expect(config).toMatchObject({
      WEBHOOKS_ALLOW_CIDRS: [],
      WEBHOOKS_ALLOW_HTTP: false,
      NODE_ENV: 'production',
    });
    expect(config.WEBHOOKS_SECRET_KEYS.map(({ id }) => id)).toEqual(['2026-11', 'old']);
    expect(config.WEBHOOKS_LEASE_MS).toBeGreaterThanOrEqual(config.WEBHOOKS_TOTAL_TIMEOUT_MS + 45_000);
  });
  test.each([{ WEBHOOKS_ALLOW_CIDRS: '127.0.0.0/8' }, { WEBHOOKS_ALLOW_HTTP: 'true' }])(
    'production rejects %p without the second setting',
    (insecure) => {
      expect(() => readConfig({ ...env, ...insecure })).toThrow(Object.keys(insecure)[0]);
      expect(() => readConfig({ ...env, ...insecure, NODE_ENV: 'production' })).toThrow();
      expect(() => readConfig({ ...env, ...insecure, ...override })).not.toThrow();
      expect(() => readConfig({ ...env, ...insecure, NODE_ENV: 'development' })).not.toThrow();
    },
  );
  test.each([
    { WEBHOOKS_SECRET_KEYS: 'k:short' },
    { WEBHOOKS_SECRET_KEYS: `${env.WEBHOOKS_SECRET_KEYS},${env.WEBHOOKS_SECRET_KEYS}` },
    { WEBHOOKS_ALLOW_CIDRS: '127.0.0.1', NODE_ENV: 'test' },
    { WEBHOOKS_SCHEDULE_MS: '0,1,2,3,4,5,6,7,8,9,10' },
    { WEBHOOKS_SCHEDULE_MS: '0,soon' },
    { WEBHOOKS_LEASE_MS: '15000' },
    { ROLE: 'both' },
  ])('rejects %p without repeating the value', (bad) => {
    const [name = '', value = ''] = Object.entries(bad)[0] ?? [];
    let message = '';
    try {
      readConfig({ ...env, ...bad });
    } catch (error) {
      message = String(error);
    }
    expect(message).toContain(name);
    expect(message).not.toContain(value);
  });
});
