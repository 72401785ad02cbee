import { createHash } from 'node:crypto';
import { promptIdentity } from '@bv/contract';

/** Digest of a text's identity, as stored. Its fixed length fits an index. */
export function textIdentity(text: string): Buffer {
  return createHash('sha256').update(promptIdentity(text)).digest();
}
