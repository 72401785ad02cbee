import { createHash } from 'node:crypto';

/** Names a set of brands that an answer is searched for: a hash of their ids, in any order. */
export const hashSearchedBrands = (brandIds: readonly string[]): string =>
  createHash('sha256').update(brandIds.toSorted().join()).digest('base64url').slice(0, 16);
