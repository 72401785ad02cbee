import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';

/** A key of 32 bytes. The caller stores the id of the key with each ciphertext. */
export type EncryptionKey<Id extends number | string = number> = { id: Id; key: Buffer };

/** The order of the parts in the stored bytes. The two orders are equal in every other way. */
export type Layout = 'iv-ciphertext-tag' | 'iv-tag-ciphertext';

/** AES-256-GCM with several keys. `additionalData` binds a ciphertext to its row: it decrypts with no other data. */
export type KeyRing<Id extends number | string> = {
  /** The id of the key that encrypts. */
  currentId: Id;
  encrypt(plaintext: Buffer, additionalData: Buffer): Buffer;
  /** Undefined if the key is unknown or the bytes are not authentic. */
  decrypt(keyId: Id, encrypted: Buffer, additionalData: Buffer): Buffer | undefined;
  /** Tries the key with the id first, then all others: the right key may have been restored under another id. */
  decryptWithAnyKey(keyId: Id | undefined, encrypted: Buffer, additionalData: Buffer): Buffer | undefined;
};

const algorithm = 'aes-256-gcm';
const keyLength = 32;
const ivLength = 12;
const tagLength = 16;

/** The first key encrypts. All keys decrypt, so that keys can rotate. */
export function createKeyRing<Id extends number | string>(
  keys: readonly EncryptionKey<Id>[],
  layout: Layout,
): KeyRing<Id> {
  const [current] = keys;
  if (current === undefined) throw new Error('a key ring needs at least one key');
  const keysById = new Map(keys.map(({ id, key }) => [id, key]));
  if (keysById.size !== keys.length) throw new Error('the ids of a key ring must differ');
  if (keys.some(({ key }) => key.length !== keyLength)) throw new Error('an encryption key has 32 bytes');
  return {
    currentId: current.id,
    encrypt: (plaintext, additionalData) => {
      const iv = randomBytes(ivLength);
      const cipher = createCipheriv(algorithm, current.key, iv, { authTagLength: tagLength });
      cipher.setAAD(additionalData);
      const [start, end] = [cipher.update(plaintext), cipher.final()];
      const tag = cipher.getAuthTag();
      return Buffer.concat(layout === 'iv-tag-ciphertext' ? [iv, tag, start, end] : [iv, start, end, tag]);
    },
    decrypt: (keyId, encrypted, additionalData) => {
      const key = keysById.get(keyId);
      return key && decryptWithKey(key, split(encrypted, layout), additionalData);
    },
    decryptWithAnyKey: (keyId, encrypted, additionalData) => {
      const parts = split(encrypted, layout);
      for (const { key } of keys.toSorted((a, b) => Number(b.id === keyId) - Number(a.id === keyId))) {
        const plaintext = decryptWithKey(key, parts, additionalData);
        if (plaintext !== undefined) return plaintext;
      }
      return undefined;
    },
  };
}

type Parts = { iv: Buffer; ciphertext: Buffer; tag: Buffer };

function split(bytes: Buffer, layout: Layout): Parts | undefined {
  if (bytes.length < ivLength + tagLength) return undefined;
  const iv = bytes.subarray(0, ivLength);
  if (layout === 'iv-ciphertext-tag') {
    return { iv, ciphertext: bytes.subarray(ivLength, -tagLength), tag: bytes.subarray(-tagLength) };
  }
  const tag = bytes.subarray(ivLength, ivLength + tagLength);
  return { iv, ciphertext: bytes.subarray(ivLength + tagLength), tag };
}

function decryptWithKey(key: Buffer, parts: Parts | undefined, additionalData: Buffer): Buffer | undefined {
  if (parts === undefined) return undefined;
  const decipher = createDecipheriv(algorithm, key, parts.iv, { authTagLength: tagLength });
  decipher.setAAD(additionalData).setAuthTag(parts.tag);
  const start = decipher.update(parts.ciphertext);
  try {
    return Buffer.concat([start, decipher.final()]);
  } catch {
    // Encrypted with another key or for other data, or changed since.
    return undefined;
  }
}
