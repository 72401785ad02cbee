import { ApiError } from '@bv/contract';
import { reaches } from '../domain/access.ts';
import { accessOf, routeOf } from './exchange.ts';
import type { Exchange } from './exchange.ts';

/** An organisation that exists and one that does not are the same to a key that may not see it. */
export function checkReach(exchange: Exchange): void {
  const { orgId } = routeOf(exchange);
  if (orgId !== null && !reaches(accessOf(exchange), orgId)) throw new ApiError('not_found');
}
