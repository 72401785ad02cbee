import { createHash } from 'node:crypto';
import { promptIdentity } from '@bv/contract';

/** What is stored of the identity of a text: a digest of it, so that it fits an index whatever its length. */
export function textIdentity(text: string): Buffer {
  return createHash('sha256').update(promptIdentity(text)).digest();
}
