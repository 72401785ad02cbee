import { ApiError } from '@bv/contract';
import type { Exchange } from './exchange.ts';

export function rejectBodyOnRead({ request, declaresBody }: Exchange): void {
  if (!declaresBody) return;
  if (request.method === 'GET' || request.method === 'HEAD') throw new ApiError('body_not_allowed');
}
