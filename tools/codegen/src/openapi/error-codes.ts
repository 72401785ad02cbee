/** The error codes of the public API, with the schemas of their details, and the refusals that belong to no operation. */
import { errorCodes, type ErrorCode, operations, PropertyPartialFailure } from '@bv/contract';
import { z } from 'zod';
import { createSchema } from 'zod-openapi';

/** Refusals of the HTTP parser, which can occur on every path. */
export const parserErrors: readonly ErrorCode[] = ['invalid_request', 'headers_too_large'];

/** Refusal of CORS preflight requests, which match no operation. */
const preflightErrors: readonly ErrorCode[] = ['cors_disabled'];

const compareCodes = (a: ErrorCode, b: ErrorCode): number =>
  errorCodes[a].status - errorCodes[b].status || (a < b ? -1 : 1);

/** Every code that an operation can return, by status. */
export const operationErrorCodes: readonly ErrorCode[] = [
  ...new Set([...operations.flatMap(({ errors }) => errors), ...parserErrors]),
].toSorted(compareCodes);

/** Every code of the public API, by status. */
export const publicErrorCodes: readonly ErrorCode[] = [...operationErrorCodes, ...preflightErrors].toSorted(
  compareCodes,
);

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
    'The extension `x-error-codes` lists all error codes: status, message, whether the same request may succeed later (`x-retryable`), and the schema of `details`.',
  ].join('\n\n');
}

/** Schema of `details` of a code on the public API. Null: it has none. Codes of the operator API are not part of it. */
export function publicDetails(code: ErrorCode): z.ZodType | null {
  return code === 'api_unavailable' ? null : errorCodes[code].details;
}

const partial: readonly ErrorCode[] = ['conflict', 'competitor_cap_exceeded'];

/** The same, with the details of a partial failure of `createProperty`. */
export function detailsSchema(code: ErrorCode): z.ZodType | null {
  const details = publicDetails(code);
  return details !== null && partial.includes(code) ? z.union([PropertyPartialFailure, details]) : details;
}

type ErrorCodeList = {
  /** Value of the extension `x-error-codes`. */
  codes: Record<string, object>;
  /** Schemas that the extension refers to. */
  schemas: Record<string, object>;
};

export function describeErrorCodes(): ErrorCodeList {
  const schemas: Record<string, object> = {};
  const codes = publicErrorCodes.map((code) => {
    const { status, message, retryable } = errorCodes[code];
    const entry = { status, message, 'x-retryable': retryable };
    const details = detailsSchema(code);
    if (details === null) return [code, entry];
    const { schema, components } = createSchema(details);
    Object.assign(schemas, components);
    return [code, { ...entry, details: schema }];
  });
  return { codes: Object.fromEntries(codes) as Record<string, object>, schemas };
}
