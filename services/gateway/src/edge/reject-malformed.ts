import type { IncomingMessage } from 'node:http';
import { isIPv6 } from 'node:net';
import { ApiError } from '@bv/contract';
import { hasConflict, headerValue } from './header-lines.ts';
import type { HeaderLines } from './header-lines.ts';

type Message = { request: IncomingMessage; lines: HeaderLines };

/** A name, an IPv4 address or an IPv6 address in brackets, with an optional port. */
const authority = /^(?:\[([^\]]+)\]|(?:[\w.~!$&'()*+;=-]|%[\da-f]{2})+)(?::(\d{0,5}))?$/i;
/** Not listed: Authorization and Idempotency-Key have their own refusals. The parser refuses a second Content-Length. */
const single = ['expect', 'content-type', 'content-encoding'] as const;

/** The parser is configured to accept these requests, so that they get an error response of the API. */
export function rejectMalformed({ request, lines }: Message): void {
  const malformed =
    !hasValidHost(request, lines) ||
    !hasKnownCoding(lines) ||
    single.some((name) => hasConflict(lines, name));
  if (malformed) throw new ApiError('invalid_request');
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
