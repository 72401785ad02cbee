import { deflateRawSync, inflateRawSync } from 'node:zlib';
import { ApiError } from '@bv/contract';
import { createKeyRing, type EncryptionKey, type KeyRing } from '@bv/crypto';
import { pack, unpack } from './binary.ts';
import type { Collection, Payload } from './payload.ts';

export type CursorCodec = {
  encode(payload: Payload): string;
  /** Throws `invalid_cursor` without details unless the text is a cursor of this collection. */
  decode(text: string, expected: Collection): Payload;
};

/** The public limit on a cursor's length. */
const maxLength = 2048;
const headLength = 2;
/** Filter text in upper case can need 6 bytes a character and exceed the limit. Such text compresses well. */
const version = { plain: 1, deflated: 2 } as const;
const deflateAbove = 512;
const maxInflated = 16_384;

/** The first key encrypts. All keys decrypt, so that keys can rotate. The ids are 0 to 255, because they are one byte. */
export function createCursorCodec({ keys }: { keys: readonly EncryptionKey[] }): CursorCodec {
  if (keys.some(({ id }) => !Number.isInteger(id) || id < 0 || id > 255)) {
    throw new Error('the id of a cursor key is 0 to 255');
  }
  const ring = createKeyRing(keys, 'iv-ciphertext-tag');
  return {
    encode(payload) {
      const text = encrypt(payload, ring);
      if (text.length > maxLength) throw new Error(`a cursor of ${text.length} characters is over the limit`);
      return text;
    },
    decode(text, { operation, collection }) {
      const list = { operation, collection };
      try {
        return { ...list, ...decrypt(text, list, ring) };
      } catch (error) {
        throw new ApiError('invalid_cursor', { cause: error });
      }
    },
  };
}

/** base64url(version, key id, encrypted payload). The collection is authenticated, but not contained. */
function encrypt(payload: Payload, ring: KeyRing<number>): string {
  const packed = pack(payload);
  const deflated = packed.length > deflateAbove ? deflateRawSync(packed, { level: 9 }) : undefined;
  const smaller = deflated && deflated.length < packed.length ? deflated : undefined;
  const head = Buffer.of(smaller ? version.deflated : version.plain, ring.currentId);
  const body = ring.encrypt(smaller ?? packed, toAdditionalData(head, payload));
  return Buffer.concat([head, body]).toString('base64url');
}

function decrypt(text: string, expected: Collection, ring: KeyRing<number>) {
  if (text.length > maxLength) throw new Error('too long');
  const bytes = Buffer.from(text, 'base64url');
  // Node skips invalid characters and ignores spare bits. Accept only the spelling that `encrypt` writes.
  if (bytes.toString('base64url') !== text) throw new Error('not canonical base64url');
  const head = bytes.subarray(0, headLength);
  const [format, keyId] = head;
  if (keyId === undefined) throw new Error('too short');
  if (format !== version.plain && format !== version.deflated) throw new Error('unknown version');
  const body = ring.decrypt(keyId, bytes.subarray(headLength), toAdditionalData(head, expected));
  if (body === undefined) throw new Error('not a cursor of this list and these keys');
  return unpack(format === version.deflated ? inflateRawSync(body, { maxOutputLength: maxInflated }) : body);
}

/** Parts are prefixed with their length, so that different collections never give the same bytes. */
function toAdditionalData(head: Buffer, { operation, collection }: Collection): Buffer {
  const parts = [operation, ...collection].flatMap((part) => {
    const bytes = Buffer.from(part);
    const length = Buffer.alloc(2);
    length.writeUInt16BE(bytes.length);
    return [length, bytes];
  });
  return Buffer.concat([head, ...parts]);
}
