import { createHmac, randomBytes } from 'node:crypto';
import { expect, test } from '@jest/globals';
import { prepareHmac } from './hmac.ts';

test("equals Node's HMAC for keys and texts of any length", () => {
  for (const keyBytes of [1, 31, 32, 63, 64, 65, 200]) {
    const key = randomBytes(keyBytes);
    const hmac = prepareHmac(key);
    for (const text of [
      '',
      'key',
      'x'.repeat(55),
      'x'.repeat(5_000),
      'short again',
      'Größe ✓ 💡',
      '\ud800',
    ]) {
      for (const encoding of ['hex', 'base64url'] as const) {
        expect(hmac(text, encoding)).toBe(createHmac('sha256', key).update(text).digest(encoding));
      }
    }
  }
});

test('two keys in use at the same time do not affect each other', () => {
  const [first, second] = [prepareHmac(Buffer.from('first')), prepareHmac(Buffer.from('second'))];
  const alone = first('text', 'hex');
  second('another, longer text', 'hex');
  expect(first('text', 'hex')).toBe(alone);
});
