import { refuseOrganisationKey, refuseWrite } from '../domain/access.ts';
import { getAccess, getRoute } from './exchange.ts';
import type { Exchange } from './exchange.ts';

/** Checks the scope of the key, then of the link, then whether the operation is open to organisation keys. */
export function checkWriteRule(exchange: Exchange): void {
  const { operation } = getRoute(exchange);
  const access = getAccess(exchange);
  const refusal = refuseWrite(access, operation) ?? refuseOrganisationKey(access, operation);
  if (refusal !== undefined) throw refusal;
}
