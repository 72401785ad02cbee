import { validationError } from '@bv/contract';
import type { ApiError } from '@bv/contract';
import { decodeHeader } from '@bv/http';
import { getRoute } from './exchange.ts';
import type { Exchange } from './exchange.ts';
import { hasConflict, headerValue } from './header-lines.ts';

const maxLength = 255;

export function checkIdempotencyKey(exchange: Exchange): void {
  const { lines } = exchange;
  const header = headerValue(lines, 'idempotency-key');
  if (!getRoute(exchange).operation.idempotent || header === undefined) return;
  if (hasConflict(lines, 'idempotency-key')) throw invalidKey('expected one value, received several');
  const key = decodeHeader(header);
  // oxlint-disable-next-line typescript/no-misused-spread -- code points are what is counted
  const { length } = [...key];
  if (length < 1 || length > maxLength) throw invalidKey(`expected 1 to ${maxLength} characters`);
  exchange.idempotencyKey = key;
}

function invalidKey(reason: string): ApiError {
  const message = `Invalid header: ${reason}`;
  return validationError([{ path: 'Idempotency-Key', code: 'invalid_header', message }]);
}
