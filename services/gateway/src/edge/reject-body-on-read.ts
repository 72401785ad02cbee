import { ApiError } from '@bv/contract';
import type { Exchange } from './exchange.ts';

type Message = Pick<Exchange, 'request' | 'declaresBody'>;

export function rejectBodyOnRead({ request, declaresBody }: Message): void {
  if (!declaresBody) return;
  if (request.method === 'GET' || request.method === 'HEAD') throw new ApiError('body_not_allowed');
}
