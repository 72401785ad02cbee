import { callerGraceMs, callerHeader, signCaller } from '@bv/http';
import type { Config } from '../config.ts';
import { getAccess, getRoute } from './exchange.ts';
import type { Exchange } from './exchange.ts';
import { headerValue } from './header-lines.ts';

/** The headers that a service receives. Of the client's own headers only `Idempotency-Key` is passed on. */
export function callerHeaders(exchange: Exchange, config: Config): Record<string, string> {
  const { requestId, acquiredKey, lines } = exchange;
  const { keyId, keyPrefix, owner, scopes, link } = getAccess(exchange);
  const { operation, orgId } = getRoute(exchange);
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
    operationId: acquiredKey?.operationId ?? null,
    expiresAt: Date.now() + config.UPSTREAM_TIMEOUT_MS + callerGraceMs,
  };
  const key = headerValue(lines, 'idempotency-key');
  return {
    [callerHeader]: signCaller(caller, config.CALLER_SECRETS[0] ?? ''),
    ...(operation.idempotent && key !== undefined ? { 'idempotency-key': key } : {}),
  };
}
