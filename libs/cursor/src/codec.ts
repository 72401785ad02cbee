import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import { deflateRawSync, inflateRawSync } from 'node:zlib';
import { ApiError } from '@bv/contract';
import { pack, unpack } from './binary.ts';
import type { Collection, Payload } from './payload.ts';

export type CursorKey = {
  /** 0 to 255. Part of the cursor. */
  id: number;
  /** 32 bytes. */
  key: Buffer;
};

export type CursorCodec = {
  encode(payload: Payload): string;
  /** Throws `invalid_cursor` without details unless the text is a cursor of this collection. */
  decode(text: string, expected: Collection): Payload;
};

/** The public limit on a cursor's length. */
const maxLength = 2048;
const algorithm = 'aes-256-gcm';
const ivLength = 12;
const tagLength = 16;
const headLength = 2;
/** Filter text in upper case can need 6 bytes a character and exceed the limit. Such text compresses well. */
const version = { plain: 1, deflated: 2 } as const;
const deflateAbove = 512;
const maxInflated = 16_384;

/** The first key encrypts. All keys decrypt, so that keys can rotate. */
export function createCursorCodec({ keys }: { keys: readonly CursorKey[] }): CursorCodec {
  const [current] = keys;
  if (!current) throw new Error('a cursor codec needs at least one key');
  const keysById = new Map(keys.map(({ id, key }) => [id, key]));
  if (keysById.size !== keys.length) throw new Error('cursor key ids must differ');
  for (const { id, key } of keys) {
    if (!Number.isInteger(id) || id < 0 || id > 255) throw new Error('a cursor key id is 0 to 255');
    if (key.length !== 32) throw new Error('a cursor key has 32 bytes');
  }
  return {
    encode(payload) {
      const text = encrypt(payload, current);
      if (text.length > maxLength) throw new Error(`a cursor of ${text.length} characters is over the limit`);
      return text;
    },
    decode(text, expected) {
      try {
        return { ...decrypt(text, expected, keysById), ...expected };
      } catch (error) {
        throw new ApiError('invalid_cursor', { cause: error });
      }
    },
  };
}

/** base64url(version, key id, iv, ciphertext, tag). The collection is authenticated, but not contained. */
function encrypt(payload: Payload, { id, key }: CursorKey): string {
  const packed = pack(payload);
  const deflated = packed.length > deflateAbove ? deflateRawSync(packed, { level: 9 }) : undefined;
  const smaller = deflated && deflated.length < packed.length ? deflated : undefined;
  const head = Buffer.of(smaller ? version.deflated : version.plain, id);
  const iv = randomBytes(ivLength);
  const cipher = createCipheriv(algorithm, key, iv, { authTagLength: tagLength });
  cipher.setAAD(additionalData(head, payload));
  const body = Buffer.concat([cipher.update(smaller ?? packed), cipher.final()]);
  return Buffer.concat([head, iv, body, cipher.getAuthTag()]).toString('base64url');
}

function decrypt(text: string, expected: Collection, keysById: ReadonlyMap<number, Buffer>) {
  if (text.length > maxLength) throw new Error('too long');
  const bytes = Buffer.from(text, 'base64url');
  // Node skips invalid characters and ignores spare bits. Accept only the spelling that `encrypt` writes.
  if (bytes.toString('base64url') !== text) throw new Error('not canonical base64url');
  const head = bytes.subarray(0, headLength);
  const [format, id] = head;
  const key = id === undefined ? undefined : keysById.get(id);
  if (!key || bytes.length < headLength + ivLength + tagLength) throw new Error('not a cursor');
  if (format !== version.plain && format !== version.deflated) throw new Error('unknown version');
  const iv = bytes.subarray(headLength, headLength + ivLength);
  const decipher = createDecipheriv(algorithm, key, iv, { authTagLength: tagLength });
  decipher.setAAD(additionalData(head, expected));
  decipher.setAuthTag(bytes.subarray(-tagLength));
  const body = decipher.update(bytes.subarray(headLength + ivLength, -tagLength));
  decipher.final();
  return unpack(format === version.deflated ? inflateRawSync(body, { maxOutputLength: maxInflated }) : body);
}

/** Parts are prefixed with their length, so that different collections never give the same bytes. */
function additionalData(head: Buffer, { operation, collection }: Collection): Buffer {
  const parts = [operation, ...collection].flatMap((part) => {
    const bytes = Buffer.from(part);
    const length = Buffer.alloc(2);
    length.writeUInt16BE(bytes.length);
    return [length, bytes];
  });
  return Buffer.concat([head, ...parts]);
}
