import { ApiError } from '@bv/contract';
import { canAccessOrg } from '../domain/access.ts';
import { getAccess, getRoute } from './exchange.ts';
import type { Exchange } from './exchange.ts';

/** A key gets the same 404 for an organisation it may not access and for one that does not exist. */
export function checkOrgAccess(exchange: Exchange): void {
  const { orgId } = getRoute(exchange);
  if (orgId !== null && !canAccessOrg(getAccess(exchange), orgId)) throw new ApiError('not_found');
}
