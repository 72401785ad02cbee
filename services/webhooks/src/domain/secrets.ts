import { createCipheriv, createDecipheriv, createHmac, randomBytes } from 'node:crypto';

/** A key that encrypts secrets at rest. The first of a list encrypts, all decrypt. */
export type EncryptionKey = { id: string; key: Buffer };

const secretPrefix = 'whsec_';
const ivLength = 12;
const tagLength = 16;

export function newSecret(): string {
  return secretPrefix + randomBytes(32).toString('base64');
}

/** `<key id>.<base64 of iv, tag, ciphertext>`, bound to the endpoint: it cannot be decrypted for another one. */
export function encryptSecret(secret: string, endpointId: string, keys: readonly EncryptionKey[]): string {
  const [current] = keys;
  if (current === undefined) throw new Error('No key to encrypt secrets with');
  const iv = randomBytes(ivLength);
  const cipher = createCipheriv('aes-256-gcm', current.key, iv).setAAD(Buffer.from(endpointId));
  const ciphertext = Buffer.concat([cipher.update(secret, 'utf8'), cipher.final()]);
  return `${current.id}.${Buffer.concat([iv, cipher.getAuthTag(), ciphertext]).toString('base64')}`;
}

/**
 * Returns undefined when no key decrypts it. The key with its id is tried first, then all others: the right key may
 * have been restored under another id.
 */
export function decryptSecret(
  encrypted: string,
  endpointId: string,
  keys: readonly EncryptionKey[],
): string | undefined {
  const [keyId, text = ''] = encrypted.split('.');
  const bytes = Buffer.from(text, 'base64');
  const matchingIdFirst = keys.toSorted((a, b) => Number(b.id === keyId) - Number(a.id === keyId));
  for (const { key } of matchingIdFirst) {
    try {
      return decryptWithKey(bytes, endpointId, key);
    } catch {
      // Encrypted with another key: the tag does not match.
    }
  }
  return undefined;
}

function decryptWithKey(bytes: Buffer, endpointId: string, key: Buffer): string {
  const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, ivLength), {
    authTagLength: tagLength,
  })
    .setAAD(Buffer.from(endpointId))
    .setAuthTag(bytes.subarray(ivLength, ivLength + tagLength));
  return decipher.update(bytes.subarray(ivLength + tagLength), undefined, 'utf8') + decipher.final('utf8');
}

/** Headers of Standard Webhooks: one `v1` signature for each live secret, over `id.timestamp.body`. */
export function signatureHeaders(message: {
  id: string;
  at: Date;
  body: string;
  secrets: readonly string[];
}): Record<string, string> {
  const timestamp = String(Math.floor(message.at.getTime() / 1000));
  const signed = `${message.id}.${timestamp}.${message.body}`;
  const signatures = message.secrets.map((secret) => {
    const key = Buffer.from(secret.slice(secretPrefix.length), 'base64');
    return `v1,${createHmac('sha256', key).update(signed).digest('base64')}`;
  });
  return {
    'webhook-id': message.id,
    'webhook-timestamp': timestamp,
    'webhook-signature': signatures.join(' '),
  };
}
