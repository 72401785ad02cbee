import { describe, expect, test } from '@jest/globals';
import { z } from 'zod';
import { keyRing, numberedKeyRing, serviceFields } from './fields.ts';
import { readSettings } from '@bv/settings';

const key = (fill: number) => Buffer.alloc(32, fill).toString('base64');

describe('a key ring', () => {
  test('keeps the order, the first is current', () => {
    const ring = keyRing(/^[\w-]+$/, 'keys').parse(`2026-11:${key(1)}, old:${key(2)}`);
    expect(ring.map(({ id }) => id)).toEqual(['2026-11', 'old']);
    expect(ring[1]?.key).toEqual(Buffer.alloc(32, 2));
    expect(
      numberedKeyRing('keys')
        .parse(`255:${key(1)},0:${key(2)}`)
        .map(({ id }) => id),
    ).toEqual([255, 0]);
  });

  test.each([
    '',
    ',',
    'no-colon',
    `1:${key(1).slice(4)}`,
    `256:${key(1)}`,
    `01:${key(1)}`,
    `-1:${key(1)}`,
    `1:${key(1)},1:${key(2)}`,
  ])('%j is rejected', (text) => {
    expect(numberedKeyRing('keys').safeParse(text).success).toBe(false);
  });
});

describe('the environment', () => {
  const schema = z.object(serviceFields({ port: 8081, monitoringPort: 9081, poolSize: 10 }));
  const env = {
    DATABASE_URL: 'postgres://x',
    NATS_URL: 'nats://x',
    CALLER_SECRETS: `${'a'.repeat(16)}, ${'b'.repeat(16)}`,
  };

  test('has defaults and is frozen', () => {
    const config = readSettings('catalog', schema, env);
    expect(config).toMatchObject({
      PORT: 8081,
      MONITORING_PORT: 9081,
      DATABASE_POOL_SIZE: 10,
      DRAIN_MS: 3_000,
    });
    expect(config.CALLER_SECRETS).toHaveLength(2);
    expect(Object.isFrozen(config)).toBe(true);
  });

  test('an empty value counts as absent', () => {
    const config = readSettings('catalog', schema, { ...env, DRAIN_MS: '', NATS_REPLICAS: '' });
    expect([config.DRAIN_MS, config.NATS_REPLICAS]).toEqual([3_000, undefined]);
    expect(() => readSettings('catalog', schema, { ...env, DATABASE_URL: '' })).toThrow('DATABASE_URL');
  });

  test('the error names every invalid variable and no value', () => {
    const bad = { ...env, PORT: '99999', CALLER_SECRETS: 'short-secret', NATS_URL: undefined };
    expect(() => readSettings('catalog', schema, bad)).toThrow(
      /configuration of catalog: PORT.*NATS_URL.*CALLER_SECRETS/s,
    );
    expect(() => readSettings('catalog', schema, bad)).not.toThrow(/short-secret/);
  });
});
