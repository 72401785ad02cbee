import { callerGraceMs, callerHeader, signCaller } from '@bv/http';
import type { Config } from '../config.ts';
import { accessOf, routeOf } from './exchange.ts';
import type { Exchange } from './exchange.ts';
import { headerValue } from './header-lines.ts';

/** All that a service gets to see of the request beside path and body; nothing the client sent but its own key. */
export function callerHeaders(exchange: Exchange, config: Config): Record<string, string> {
  const { requestId, claim, lines } = exchange;
  const { keyId, keyPrefix, owner, scopes, link } = accessOf(exchange);
  const { operation, orgId } = routeOf(exchange);
  const ownLink = { scope: 'owner', externalRef: null } as const;
  const caller = {
    requestId,
    keyId,
    keyPrefix,
    owner,
    orgId,
    link: owner.kind === 'organisation' ? ownLink : link,
    scopes,
    operation: operation.id,
    operationId: claim?.operationId ?? null,
    expiresAt: Date.now() + config.UPSTREAM_TIMEOUT_MS + callerGraceMs,
  };
  const key = headerValue(lines, 'idempotency-key');
  return {
    [callerHeader]: signCaller(caller, config.CALLER_SECRETS[0] ?? ''),
    ...(operation.idempotent && key !== undefined ? { 'idempotency-key': key } : {}),
  };
}
