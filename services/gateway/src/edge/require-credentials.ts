import { ApiError } from '@bv/contract';
import type { Exchange } from './exchange.ts';
import { hasConflict } from './header-lines.ts';

const bearer = /^bearer +(\S.*)$/i;
/** Has no key's shape: refused as a wrong key is, and counted. */
const ambiguous = '';

/** A header that presents no key is refused without being counted as a failed attempt. */
export function requireCredentials(exchange: Exchange): void {
  const { lines } = exchange;
  const key = lines.authorization?.map(keyOf).find((presented) => presented !== undefined);
  if (key === undefined) throw new ApiError('invalid_api_key');
  exchange.presentedKey = hasConflict(lines, 'authorization') ? ambiguous : key;
}

function keyOf(authorization: string): string | undefined {
  return bearer.exec(authorization)?.[1]?.trimEnd();
}
