import { isOrgScoped, refuseOrganisationKey } from '../domain/access.ts';
import { accessOf, routeOf } from './exchange.ts';
import type { Exchange } from './exchange.ts';

/** Webhook management is closed to organisation keys before the write rule is asked. */
export function checkPartnerOnly(exchange: Exchange): void {
  const { operation } = routeOf(exchange);
  if (isOrgScoped(operation)) return;
  const refusal = refuseOrganisationKey(accessOf(exchange), operation);
  if (refusal !== undefined) throw refusal;
}
