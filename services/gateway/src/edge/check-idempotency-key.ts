import { validationError } from '@bv/contract';
import { headerText } from '@bv/http';
import { routeOf } from './exchange.ts';
import type { Exchange } from './exchange.ts';

const maxLength = 255;

export function checkIdempotencyKey(exchange: Exchange): void {
  const header = exchange.request.headers['idempotency-key'];
  if (!routeOf(exchange).operation.idempotent || header === undefined) return;
  const key = headerText(String(header));
  // oxlint-disable-next-line typescript/no-misused-spread -- code points are what is counted
  const { length } = [...key];
  if (length < 1 || length > maxLength) {
    const message = `Invalid header: expected 1 to ${maxLength} characters`;
    throw validationError([{ path: 'Idempotency-Key', code: 'invalid_header', message }]);
  }
  exchange.idempotencyKey = key;
}
