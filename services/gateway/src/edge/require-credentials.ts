import { ApiError } from '@bv/contract';
import type { Exchange } from './exchange.ts';

const bearer = /^bearer +(\S.*)$/i;
/** Has no key's shape: refused as a wrong key is, and counted. */
const ambiguous = '';

/** A header that presents no key is refused without being counted as a failed attempt. */
export function requireCredentials(exchange: Exchange): void {
  const { rawHeaders, headers } = exchange.request;
  const presented = keyOf(headers.authorization ?? '');
  // Node keeps the first of several; which of them a proxy has looked at nobody knows.
  const others = othersOf(rawHeaders, headers.authorization);
  const keys = [presented, ...others.map(keyOf)].filter((key) => key !== undefined);
  const [first] = keys;
  if (first === undefined) throw new ApiError('invalid_api_key');
  exchange.presentedKey = others.length === 0 ? first : ambiguous;
}

function keyOf(authorization: string): string | undefined {
  return bearer.exec(authorization)?.[1]?.trimEnd();
}

/** Values of the header that differ from the one that Node kept. */
function othersOf(rawHeaders: readonly string[], kept: string | undefined): string[] {
  const others: string[] = [];
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at] ?? '';
    if (name.length !== 13 || name.toLowerCase() !== 'authorization') continue;
    const value = rawHeaders[at + 1] ?? '';
    if (value !== kept) others.push(value);
  }
  return others;
}
