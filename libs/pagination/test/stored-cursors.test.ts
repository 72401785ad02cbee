import { readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { createCursorCodec } from '../src/index.ts';

type Payload = Parameters<ReturnType<typeof createCursorCodec>['encode']>[0];
type Issued = { keys: { id: number; key: string }[]; cursors: { payload: Payload; cursor: string }[] };

// Cursors as version 1.0.0 issued them, and their keys. Never generate this file again: clients hold such cursors.
const file = new URL('fixtures/stored-cursors.json', import.meta.url);
const { keys: encodedKeys, cursors } = JSON.parse(readFileSync(file, 'utf8')) as Issued;
const keys = encodedKeys.map(({ id, key }) => ({ id, key: Buffer.from(key, 'base64') }));
const codec = createCursorCodec({ keys });

test.each(cursors)('an issued cursor of $payload.operation decodes', ({ payload, cursor }) => {
  expect(codec.decode(cursor, payload)).toEqual(payload);
  const withOtherKeys = createCursorCodec({ keys: keys.map(({ id }) => ({ id, key: Buffer.alloc(32, 1) })) });
  expect(() => withOtherKeys.decode(cursor, payload)).toThrow('cursor');
});
