import { randomBytes } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { prepareHmac } from '@bv/crypto';
import type { Hmac } from '@bv/crypto';

export type Pepper = { id: number; key: Buffer };
/** `hash` in hex. */
export type KeyHash = { pepperId: number; hash: string };

const livePrefix = 'bvk_live_';
const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const randomLength = 37;
const checksumLength = 6;
const shape = /^bvk_live_[0-9A-Za-z]{43}$/;

/** Test keys (`bvk_test_…`) fail too: the production API accepts only live keys. */
export function hasKeyShape(value: string): boolean {
  return shape.test(value);
}

/** The only part of a key that is logged, shown or stored in plain text. */
export function getKeyPrefix(key: string): string {
  return key.slice(0, 12);
}

export function mintKey(): string {
  const secret = livePrefix + randomBase62(randomLength);
  return secret + checksum(secret);
}

const prepared = new WeakMap<Pepper, Hmac>();

function getHmac(pepper: Pepper): Hmac {
  const known = prepared.get(pepper);
  if (known !== undefined) return known;
  const hmac = prepareHmac(pepper.key);
  prepared.set(pepper, hmac);
  return hmac;
}

/** Keys are looked up by their HMAC, so neither a table dump nor lookup timing reveals a key. */
export function hashKey(key: string, peppers: readonly Pepper[]): KeyHash[] {
  return peppers.map((pepper) => ({
    pepperId: pepper.id,
    hash: getHmac(pepper)(key, 'hex'),
  }));
}

/** 248 is the highest multiple of 62 in a byte. Higher values would favour the first characters (modulo bias). */
function randomBase62(length: number): string {
  let text = '';
  while (text.length < length) {
    for (const byte of randomBytes(length * 2)) {
      if (byte < 248 && text.length < length) text += alphabet[byte % 62];
    }
  }
  return text;
}

/** For secret scanners, which can skip invalid keys. The gateway does not verify it. */
function checksum(text: string): string {
  let rest = crc32(text);
  let digits = '';
  for (let position = 0; position < checksumLength; position += 1) {
    digits = alphabet[rest % 62] + digits;
    rest = Math.floor(rest / 62);
  }
  return digits;
}
