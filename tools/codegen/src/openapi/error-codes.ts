/** The refusals that belong to no operation, and the list of all codes, for the OpenAPI document. */
import { errorCodes, type ErrorCode, operations } from '@bv/contract';
import { parserErrors } from './error-responses.ts';

/** Refusal of CORS preflight requests, which match no operation. */
const preflightErrors: readonly ErrorCode[] = ['cors_disabled'];

const causes: { [Code in ErrorCode]?: string } = {
  invalid_request: 'The HTTP parser rejected the request, or `Host` is missing. No key is checked.',
  headers_too_large: 'The request line and headers exceed the limit of the server. No key is checked.',
  cors_disabled: 'A browser sent a CORS preflight (`OPTIONS` with `Origin`). Call the API from a server.',
};

/** A section of the document's description. */
export function commonRefusals(): string {
  const rows = [...parserErrors, ...preflightErrors].map(
    (code) => `| ${errorCodes[code].status} | \`${code}\` | ${causes[code] ?? errorCodes[code].message} |`,
  );
  return [
    '## Common refusals',
    'The server returns these on every path, before a request reaches an operation.',
    ['| Status | Code | Cause |', '| --- | --- | --- |', ...rows].join('\n'),
    'The extension `x-error-codes` lists all error codes.',
  ].join('\n\n');
}

/** Every code that the public API returns. */
export function errorCodeList(): Record<string, { status: number; message: string; retryable: boolean }> {
  const codes = new Set([...operations.flatMap(({ errors }) => errors), ...parserErrors, ...preflightErrors]);
  const list = [...codes].map((code) => [code, errorCodes[code]] as const);
  list.sort(([a, { status: one }], [b, { status: other }]) => one - other || (a < b ? -1 : 1));
  return Object.fromEntries(
    list.map(([code, { status, message, retryable }]) => [code, { status, message, retryable }]),
  );
}
