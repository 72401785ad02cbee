import { deflateRawSync, inflateRawSync } from 'node:zlib';
import { ApiError, type DateWindow } from '@bv/contract';
import { createKeyRing, type EncryptionKey, type KeyRing } from '@bv/crypto';
import type { Collection, Payload, SortValue } from './payload.ts';

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

/** The part of a payload that the cursor contains. The collection is only authenticated, as additional data. */
type Content = Pick<Payload, 'filters' | 'sort' | 'token' | 'window'>;

const tag = { null: 0, number: 1, text: 2, uuid: 3 } as const;
const has = { window: 1, token: 2 } as const;
const canonicalUuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

function pack({ filters, window, sort, token }: Content): Buffer {
  const sent = Object.entries(filters).filter((entry): entry is [string, string] => entry[1] !== undefined);
  return Buffer.concat([
    Buffer.of((window ? has.window : 0) | (token === undefined ? 0 : has.token)),
    ...(window ? [packValue(window.from), packValue(window.to)] : []),
    ...(token === undefined ? [] : [packValue(token)]),
    packCount(sent.length),
    ...sent.flatMap(([name, value]) => [packValue(name), packValue(value)]),
    packCount(sort.length),
    ...sort.map(packValue),
  ]);
}

/** Throws on bytes that `pack` did not write. */
function unpack(bytes: Buffer): Content {
  const reader = createReader(bytes);
  const flags = reader.byte();
  const window: DateWindow | undefined =
    flags & has.window ? { from: reader.text(), to: reader.text() } : undefined;
  const token = flags & has.token ? reader.text() : undefined;
  const filters = Object.fromEntries(reader.list(() => [reader.text(), reader.text()] as const));
  const sort = reader.list(() => reader.value());
  reader.end();
  return { filters, sort, ...(window ? { window } : {}), ...(token === undefined ? {} : { token }) };
}

function packCount(count: number): Buffer {
  const bytes = Buffer.alloc(2);
  bytes.writeUInt16BE(count);
  return bytes;
}

function packValue(value: SortValue): Buffer {
  if (value === null) return Buffer.of(tag.null);
  if (typeof value === 'number') {
    const bytes = Buffer.alloc(9, tag.number);
    bytes.writeDoubleBE(value, 1);
    return bytes;
  }
  if (canonicalUuid.test(value)) {
    return Buffer.concat([Buffer.of(tag.uuid), Buffer.from(value.replaceAll('-', ''), 'hex')]);
  }
  const text = Buffer.from(value);
  return Buffer.concat([Buffer.of(tag.text), packCount(text.length), text]);
}

type Reader = {
  byte(): number;
  value(): SortValue;
  text(): string;
  list<T>(item: () => T): T[];
  end(): void;
};

function createReader(bytes: Buffer): Reader {
  let at = 0;
  const take = (length: number): Buffer => {
    if (at + length > bytes.length) throw new Error('the cursor is truncated');
    at += length;
    return bytes.subarray(at - length, at);
  };
  const byte = () => take(1).readUInt8();
  const count = () => take(2).readUInt16BE();
  const value = (): SortValue => {
    switch (byte()) {
      case tag.null:
        return null;
      case tag.number:
        return take(8).readDoubleBE();
      case tag.text:
        return take(count()).toString();
      case tag.uuid:
        return take(16)
          .toString('hex')
          .replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
      default:
        throw new Error('the cursor has a value of an unknown type');
    }
  };
  return {
    byte,
    value,
    text: () => {
      const text = value();
      if (typeof text !== 'string') throw new Error('the cursor has a value that is not text');
      return text;
    },
    list: (item) => Array.from({ length: count() }, item),
    end: () => {
      if (at !== bytes.length) throw new Error('the cursor has trailing bytes');
    },
  };
}
