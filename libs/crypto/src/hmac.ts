import { hash } from 'node:crypto';

/** HMAC-SHA256 of a text in UTF-8. */
export type Hmac = (text: string, encoding: 'hex' | 'base64url') => string;

const blockBytes = 64;
const hashBytes = 32;

/**
 * HMAC-SHA256 by its definition (RFC 2104) in two one-shot hashes, for one key and many texts. `createHmac` allocates an
 * object with a native part for each text. This costs twice as much, and again when it is collected.
 */
export function prepareHmac(key: Buffer): Hmac {
  const block = Buffer.alloc(blockBytes);
  block.set(key.length > blockBytes ? hash('sha256', key, 'buffer') : key);
  let inner = Buffer.from(block.map((byte) => byte ^ 0x36));
  const outer = Buffer.concat([block.map((byte) => byte ^ 0x5c), Buffer.alloc(hashBytes)]);
  return (text, encoding) => {
    const end = blockBytes + Buffer.byteLength(text);
    if (end > inner.length) inner = Buffer.concat([inner], end);
    inner.write(text, blockBytes);
    outer.write(hash('sha256', inner.subarray(0, end), 'hex'), blockBytes, 'hex');
    return hash('sha256', outer, encoding);
  };
}
