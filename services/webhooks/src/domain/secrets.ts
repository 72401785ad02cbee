import { createHmac, createSecretKey, type KeyObject, randomBytes } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { createKeyRing, type EncryptionKey } from '@bv/crypto';

const secretPrefix = 'whsec_';

export function newSecret(): string {
  return secretPrefix + randomBytes(32).toString('base64');
}

/** Encrypts secrets at rest, each bound to its endpoint: it cannot be decrypted for another one. */
export type SecretCipher = {
  /** The id of the key that encrypts. */
  currentKeyId: string;
  /** Returns `<key id>.<base64 of iv, tag, ciphertext>`. */
  encrypt(secret: string, endpointId: string): string;
  /** Returns undefined when no key decrypts it, whatever the id of its key. */
  decrypt(encrypted: string, endpointId: string): string | undefined;
};

/** The first key encrypts, all decrypt. */
export function createSecretCipher(keys: readonly EncryptionKey<string>[]): SecretCipher {
  const ring = createKeyRing(keys, 'iv-tag-ciphertext');
  return {
    currentKeyId: ring.currentId,
    encrypt: (secret, endpointId) => {
      const bytes = ring.encrypt(Buffer.from(secret), Buffer.from(endpointId));
      return `${ring.currentId}.${bytes.toString('base64')}`;
    },
    decrypt: (encrypted, endpointId) => {
      const [keyId, text = ''] = encrypted.split('.');
      const bytes = Buffer.from(text, 'base64');
      return ring.decryptWithAnyKey(keyId, bytes, Buffer.from(endpointId))?.toString();
    },
  };
}

/** Converting a secret to a key takes five times as long as signing with it. */
export const toSigningKey = (secret: string): KeyObject =>
  createSecretKey(Buffer.from(secret.slice(secretPrefix.length), 'base64'));

/** Decrypts a secret to its signing key. Returns undefined when no key of the cipher decrypts it. */
export type SigningKeys = (encrypted: string, endpointId: string) => KeyObject | undefined;

const maxCachedKeys = 1_000;

/** Keeps the keys that were used last. */
export function createSigningKeys(cipher: SecretCipher): SigningKeys {
  const cached = new LRUCache<string, KeyObject>({ max: maxCachedKeys });
  return (encrypted, endpointId) => {
    const name = `${endpointId} ${encrypted}`;
    const known = cached.get(name);
    if (known !== undefined) return known;
    const secret = cipher.decrypt(encrypted, endpointId);
    if (secret === undefined) return undefined;
    const key = toSigningKey(secret);
    cached.set(name, key);
    return key;
  };
}

/** Headers of Standard Webhooks: one `v1` signature for each live secret, over `id.timestamp.body`. */
export function signatureHeaders(message: {
  id: string;
  at: Date;
  body: string;
  keys: readonly KeyObject[];
}): Record<string, string> {
  const timestamp = String(Math.floor(message.at.getTime() / 1000));
  const signed = `${message.id}.${timestamp}.${message.body}`;
  const signatures = message.keys.map(
    (key) => `v1,${createHmac('sha256', key).update(signed).digest('base64')}`,
  );
  return {
    'webhook-id': message.id,
    'webhook-timestamp': timestamp,
    'webhook-signature': signatures.join(' '),
  };
}
