import { isOrgScoped, refuseOrganisationKey } from '../domain/access.ts';
import { getAccess, getRoute } from './exchange.ts';
import type { Exchange } from './exchange.ts';

/** Refuses organisation keys for webhook management before the write scope is checked. */
export function checkPartnerOnly(exchange: Exchange): void {
  const { operation } = getRoute(exchange);
  if (isOrgScoped(operation)) return;
  const refusal = refuseOrganisationKey(getAccess(exchange), operation);
  if (refusal !== undefined) throw refusal;
}
