import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import { deflateRawSync, inflateRawSync } from 'node:zlib';
import { ApiError } from '@bv/contract';
import { pack, unpack } from './binary.ts';
import type { Collection, Payload } from './payload.ts';

export type CursorKey = {
  /** 0 to 255, stands in the cursor. */
  id: number;
  /** 32 bytes. */
  key: Buffer;
};

export type CursorCodec = {
  encode(payload: Payload): string;
  /** Throws `invalid_cursor` without details when the text is not a cursor of exactly this collection. */
  decode(text: string, expected: Collection): Payload;
};

/** The public limit on a cursor's length. */
const maxLength = 2048;
const cipher = 'aes-256-gcm';
const ivLength = 12;
const tagLength = 16;
const headLength = 2;
/** Text upper-cased by a filter can need 6 bytes a character and outgrow the limit raw; such text deflates well. */
const version = { plain: 1, deflated: 2 } as const;
const deflateAbove = 512;
const maxInflated = 16_384;

/** Cursors sealed with the first key; those of the others are still read, so that keys can rotate. */
export function createCursorCodec({ keys }: { keys: readonly CursorKey[] }): CursorCodec {
  const [current] = keys;
  if (!current) throw new Error('a cursor codec needs at least one key');
  const keyOf = new Map(keys.map(({ id, key }) => [id, key]));
  if (keyOf.size !== keys.length) throw new Error('cursor key ids must differ');
  for (const { id, key } of keys) {
    if (!Number.isInteger(id) || id < 0 || id > 255) throw new Error('a cursor key id is 0 to 255');
    if (key.length !== 32) throw new Error('a cursor key has 32 bytes');
  }
  return {
    encode(payload) {
      const text = seal(payload, current);
      if (text.length > maxLength) throw new Error(`a cursor of ${text.length} characters is over the limit`);
      return text;
    },
    decode(text, expected) {
      try {
        return { ...open(text, expected, keyOf), ...expected };
      } catch (error) {
        throw new ApiError('invalid_cursor', { cause: error });
      }
    },
  };
}

/** base64url(version, key id, iv, ciphertext, tag); the collection is authenticated, not contained. */
function seal(payload: Payload, { id, key }: CursorKey): string {
  const packed = pack(payload);
  const deflated = packed.length > deflateAbove ? deflateRawSync(packed, { level: 9 }) : undefined;
  const smaller = deflated && deflated.length < packed.length ? deflated : undefined;
  const head = Buffer.of(smaller ? version.deflated : version.plain, id);
  const iv = randomBytes(ivLength);
  const sealing = createCipheriv(cipher, key, iv, { authTagLength: tagLength });
  sealing.setAAD(boundTo(head, payload));
  const body = Buffer.concat([sealing.update(smaller ?? packed), sealing.final()]);
  return Buffer.concat([head, iv, body, sealing.getAuthTag()]).toString('base64url');
}

function open(text: string, expected: Collection, keyOf: ReadonlyMap<number, Buffer>) {
  if (text.length > maxLength) throw new Error('too long');
  const bytes = Buffer.from(text, 'base64url');
  // Node skips what is no base64url and ignores spare bits: only the one spelling we wrote counts.
  if (bytes.toString('base64url') !== text) throw new Error('not base64url as we write it');
  const head = bytes.subarray(0, headLength);
  const [written, id] = head;
  const key = id === undefined ? undefined : keyOf.get(id);
  if (!key || bytes.length < headLength + ivLength + tagLength) throw new Error('not a cursor');
  if (written !== version.plain && written !== version.deflated) throw new Error('unknown version');
  const iv = bytes.subarray(headLength, headLength + ivLength);
  const opening = createDecipheriv(cipher, key, iv, { authTagLength: tagLength });
  opening.setAAD(boundTo(head, expected));
  opening.setAuthTag(bytes.subarray(-tagLength));
  const body = opening.update(bytes.subarray(headLength + ivLength, -tagLength));
  opening.final();
  return unpack(written === version.deflated ? inflateRawSync(body, { maxOutputLength: maxInflated }) : body);
}

/** Length-prefixed, so that no two collections read the same. */
function boundTo(head: Buffer, { operation, collection }: Collection): Buffer {
  const parts = [operation, ...collection].flatMap((part) => {
    const bytes = Buffer.from(part);
    const length = Buffer.alloc(2);
    length.writeUInt16BE(bytes.length);
    return [length, bytes];
  });
  return Buffer.concat([head, ...parts]);
}
