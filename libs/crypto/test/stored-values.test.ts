import { readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { createKeyRing, type Layout } from '../src/index.ts';

type Stored = {
  keys: { id: number | string; key: string }[];
  values: { keyId: number | string; additionalData: string; encrypted: string; plaintext: string }[];
};

// Values as version 1.0.0 stored them, and their keys. Never generate this file again: databases hold such values.
const file = new URL('fixtures/stored-values.json', import.meta.url);
const stored = JSON.parse(readFileSync(file, 'utf8')) as Record<Layout, Stored>;

test.each(Object.entries(stored))('values stored in the layout %s decrypt', (layout, { keys, values }) => {
  const ring = createKeyRing(
    keys.map(({ id, key }) => ({ id, key: Buffer.from(key, 'base64') })),
    layout as Layout,
  );
  expect(values.length).toBeGreaterThan(3);
  for (const { keyId, additionalData, encrypted, plaintext } of values) {
    const bytes = Buffer.from(encrypted, 'base64');
    const row = Buffer.from(additionalData);
    expect(ring.decrypt(keyId, bytes, row)?.toString()).toBe(plaintext);
    expect(ring.decryptWithAnyKey('unknown', bytes, row)?.toString()).toBe(plaintext);
  }
});
