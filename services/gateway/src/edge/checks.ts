import type { IncomingMessage } from 'node:http';
import { isIPv6 } from 'node:net';
import { ApiError, validationError } from '@bv/contract';
import { decodeHeader } from '@bv/http';
import type { EdgeContext } from '../context.ts';
import { canAccessOrg, isOrgScoped, refuseOrganisationKey, refuseWrite } from '../domain/access.ts';
import { toApiPath } from '../domain/routes.ts';
import { getAccess, getRoute } from './exchange.ts';
import type { Exchange } from './exchange.ts';
import { hasConflict, headerValue } from './header-lines.ts';
import type { HeaderLines } from './header-lines.ts';

// The checks that need no store, in the order of the pipeline.

type Message = { request: IncomingMessage; lines: HeaderLines };

/** A name, an IPv4 address or an IPv6 address in brackets, with an optional port. */
const authority = /^(?:\[([^\]]+)\]|(?:[\w.~!$&'()*+;=-]|%[\da-f]{2})+)(?::(\d{0,5}))?$/i;
/** Not listed: Authorization and Idempotency-Key have their own refusals. The parser refuses a second Content-Length. */
const single = ['expect', 'content-type', 'content-encoding'] as const;

/** Node's parser accepts them in the syntax of HTTP/1. The call of a tool has no version. */
const otherVersions = new Set([0, 2]);

/** The parser is configured to accept these requests, so that they get an error response of the API. */
export function refuseMalformed({ request, lines }: Message): void {
  const malformed =
    otherVersions.has(request.httpVersionMajor) ||
    !hasValidHost(request, lines) ||
    !hasKnownCoding(lines) ||
    single.some((name) => hasConflict(lines, name));
  if (malformed) throw new ApiError('invalid_request');
}

/** RFC 9112, 3.2: exactly one line with a valid value, which only HTTP/1.1 requires. */
function hasValidHost({ httpVersion }: IncomingMessage, { host }: HeaderLines): boolean {
  if (host === undefined) return httpVersion !== '1.1';
  const parts = host.length === 1 ? authority.exec(host[0] ?? '') : null;
  if (parts === null) return false;
  const [, address, port] = parts;
  return (address === undefined || isIPv6(address)) && Number(port ?? 0) <= 65_535;
}

function hasKnownCoding(lines: HeaderLines): boolean {
  const coding = headerValue(lines, 'transfer-encoding');
  if (coding === undefined) return true;
  return !hasConflict(lines, 'transfer-encoding') && coding.toLowerCase() === 'chunked';
}

/**
 * Whether another parser may see a different end of the message (request smuggling). Such a request is the last of its
 * connection: RFC 9112, 6.1 requires it for HTTP/1.0.
 */
export function hasUncertainEnd({ request, lines }: Message): boolean {
  return (
    lines['transfer-encoding'] !== undefined && (request.httpVersion !== '1.1' || !hasKnownCoding(lines))
  );
}

/** Refuses CORS preflight requests, which carry no key. */
export function refusePreflight({ request, headers }: Exchange): void {
  if (request.method !== 'OPTIONS') return;
  const { origin, 'access-control-request-method': method } = request.headers;
  if (origin === undefined && method === undefined) return;
  headers.allow = 'GET, HEAD, POST, PUT, PATCH, DELETE';
  throw new ApiError('cors_disabled');
}

const bearer = /^bearer +(\S.*)$/i;
/** Stands for several keys. It has no valid shape, so it is refused and counted like a wrong key. */
const ambiguous = '';

/** Refuses a request without a key. It does not count as a failed attempt. */
export function requireCredentials(exchange: Exchange): void {
  const { lines } = exchange;
  const key = lines.authorization
    ?.map((line) => bearer.exec(line)?.[1]?.trimEnd())
    .find((presented) => presented !== undefined);
  if (key === undefined) throw new ApiError('invalid_api_key');
  exchange.presentedKey = hasConflict(lines, 'authorization') ? ambiguous : key;
}

export function refuseBodyOnRead({
  request,
  declaresBody,
}: Pick<Exchange, 'request' | 'declaresBody'>): void {
  if (!declaresBody) return;
  if (request.method === 'GET' || request.method === 'HEAD') throw new ApiError('body_not_allowed');
}

/** The path can be as long as the parser accepts, so the message contains only its beginning. */
const maxShown = 200;

/** Refuses an unknown path. The message names an unknown method of a known path. */
export function requireRoute({ route, request }: Exchange, { routes }: EdgeContext): void {
  if (route !== undefined) return;
  const [path = ''] = request.url.split('?', 1);
  const apiPath = toApiPath(path);
  if (apiPath === undefined || !routes.hasPath(apiPath)) throw new ApiError('not_found');
  const shown = `${request.method} ${path}`.slice(0, maxShown);
  throw new ApiError('not_found', { message: `No such operation: ${shown}` });
}

export function checkPathIds(exchange: Exchange): void {
  const { invalidIds } = getRoute(exchange);
  if (invalidIds !== undefined) throw invalidIds;
}

/** A key gets the same 404 for an organisation it may not access and for one that does not exist. */
export function checkOrgAccess(exchange: Exchange): void {
  const { orgId } = getRoute(exchange);
  if (orgId !== null && !canAccessOrg(getAccess(exchange), orgId)) throw new ApiError('not_found');
}

/** Refuses organisation keys for webhook management before the write scope is checked. */
export function checkPartnerOnly(exchange: Exchange): void {
  const { operation } = getRoute(exchange);
  if (isOrgScoped(operation)) return;
  const refusal = refuseOrganisationKey(getAccess(exchange), operation);
  if (refusal !== undefined) throw refusal;
}

/** Checks the scope of the key, then of the link, then whether the operation is open to organisation keys. */
export function checkWriteRule(exchange: Exchange): void {
  const { operation } = getRoute(exchange);
  const access = getAccess(exchange);
  const refusal = refuseWrite(access, operation) ?? refuseOrganisationKey(access, operation);
  if (refusal !== undefined) throw refusal;
}

const maxIdempotencyKeyLength = 255;

export function checkIdempotencyKey(exchange: Exchange): void {
  const { lines } = exchange;
  const header = headerValue(lines, 'idempotency-key');
  if (!getRoute(exchange).operation.idempotent || header === undefined) return;
  if (hasConflict(lines, 'idempotency-key'))
    throw invalidIdempotencyKey('expected one value, received several');
  const key = decodeHeader(header);
  // oxlint-disable-next-line typescript/no-misused-spread -- code points are what is counted
  const { length } = [...key];
  if (length < 1 || length > maxIdempotencyKeyLength) {
    throw invalidIdempotencyKey(`expected 1 to ${maxIdempotencyKeyLength} characters`);
  }
  exchange.idempotencyKey = key;
}

function invalidIdempotencyKey(reason: string): ApiError {
  const message = `Invalid header: ${reason}`;
  return validationError([{ path: 'Idempotency-Key', code: 'invalid_header', message }]);
}
