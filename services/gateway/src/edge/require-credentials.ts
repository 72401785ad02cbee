import { ApiError } from '@bv/contract';
import type { Exchange } from './exchange.ts';

const bearer = /^bearer +(\S.*)$/i;

/** A header that presents no key is refused without being counted as a failed attempt. */
export function requireCredentials(exchange: Exchange): void {
  const presented = bearer.exec(exchange.request.headers.authorization ?? '')?.[1]?.trimEnd();
  if (presented === undefined) throw new ApiError('invalid_api_key');
  exchange.presentedKey = presented;
}
