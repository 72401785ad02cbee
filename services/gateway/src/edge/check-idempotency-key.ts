import { validationError } from '@bv/contract';
import { routeOf } from './exchange.ts';
import type { Exchange } from './exchange.ts';

const maxLength = 255;
const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

export function checkIdempotencyKey(exchange: Exchange): void {
  const header = exchange.request.headers['idempotency-key'];
  if (!routeOf(exchange).operation.idempotent || header === undefined) return;
  const key = decode(String(header));
  // oxlint-disable-next-line typescript/no-misused-spread -- code points are what is counted
  const { length } = [...key];
  if (length < 1 || length > maxLength) {
    const message = `Invalid header: expected 1 to ${maxLength} characters`;
    throw validationError([{ path: 'Idempotency-Key', code: 'invalid_header', message }]);
  }
  exchange.idempotencyKey = key;
}

/** Node reads header bytes as Latin-1; what was sent as UTF-8 is counted as its characters. */
function decode(header: string): string {
  try {
    return decoder.decode(Buffer.from(header, 'latin1'));
  } catch {
    return header;
  }
}
