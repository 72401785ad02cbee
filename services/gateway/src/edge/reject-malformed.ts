import { ApiError } from '@bv/contract';
import type { Exchange } from './exchange.ts';

/** The parser lets a request without Host through, so that it can be answered in the common shape. */
export function rejectMalformed({ request }: Exchange): void {
  if (request.httpVersion === '1.1' && request.headers.host === undefined) {
    throw new ApiError('invalid_request');
  }
}
