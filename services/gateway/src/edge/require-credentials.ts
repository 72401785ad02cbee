import { ApiError } from '@bv/contract';
import type { Exchange } from './exchange.ts';
import { hasConflict } from './header-lines.ts';

const bearer = /^bearer +(\S.*)$/i;
/** Stands for several keys. It has no valid shape, so it is refused and counted like a wrong key. */
const ambiguous = '';

/** Refuses a request without a key. It does not count as a failed attempt. */
export function requireCredentials(exchange: Exchange): void {
  const { lines } = exchange;
  const key = lines.authorization?.map(parseBearerKey).find((presented) => presented !== undefined);
  if (key === undefined) throw new ApiError('invalid_api_key');
  exchange.presentedKey = hasConflict(lines, 'authorization') ? ambiguous : key;
}

function parseBearerKey(authorization: string): string | undefined {
  return bearer.exec(authorization)?.[1]?.trimEnd();
}
