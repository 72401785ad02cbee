import { refuseOrganisationKey, refuseWrite } from '../domain/access.ts';
import { accessOf, routeOf } from './exchange.ts';
import type { Exchange } from './exchange.ts';

/** The key's scope, then the link's; for a partner's operation on an organisation, then the kind of key. */
export function checkWriteRule(exchange: Exchange): void {
  const { operation } = routeOf(exchange);
  const access = accessOf(exchange);
  const refusal = refuseWrite(access, operation) ?? refuseOrganisationKey(access, operation);
  if (refusal !== undefined) throw refusal;
}
