/** The error codes of an API, with the schemas of their details, and the refusals that belong to no operation. */
import {
  errorCodes,
  type ErrorCode,
  errorGuidance,
  type Operation,
  PropertyPartialFailure,
} from '@bv/contract';
import { z } from 'zod';
import { createSchema } from 'zod-openapi';

type ApiName = Operation['api'];

/** Refusals of the HTTP parser, which can occur on every path of the public API. */
const parserErrors: readonly ErrorCode[] = ['invalid_request', 'headers_too_large'];

/** Refusal of CORS preflight requests, which match no operation. */
const preflightErrors: readonly ErrorCode[] = ['cors_disabled'];

/** Every code that the operation can return. */
export const listCodes = ({ api, errors }: Operation): readonly ErrorCode[] =>
  api === 'public' ? [...errors, ...parserErrors] : errors;

/** Codes by status, each once. */
export const sortCodes = (codes: readonly ErrorCode[]): readonly ErrorCode[] =>
  [...new Set(codes)].toSorted((a, b) => errorCodes[a].status - errorCodes[b].status || (a < b ? -1 : 1));

/** Every code of the public API. */
export const allPublicCodes = (operations: readonly Operation[]): readonly ErrorCode[] =>
  sortCodes([...operations.flatMap(listCodes), ...preflightErrors]);

/** A section of the description of the public API. */
export function commonRefusals(): string {
  const rows = [...parserErrors, ...preflightErrors].map(
    (code) => `| ${errorCodes[code].status} | \`${code}\` | ${errorGuidance[code].cause} |`,
  );
  return [
    '## Common refusals',
    'The server returns these on every path, before a request reaches an operation and before a key is checked.',
    ['| Status | Code | Cause |', '| --- | --- | --- |', ...rows].join('\n'),
    'The extension `x-error-codes` lists all error codes: status, message, whether the same request may succeed later (`x-retryable`), and the schema of `details`.',
  ].join('\n\n');
}

/** Schema of `details` of a code on the public API. Null: it has none. Codes of the operator API are not part of it. */
export function publicDetails(code: ErrorCode): z.ZodType | null {
  return code === 'api_unavailable' ? null : errorCodes[code].details;
}

const partial: readonly ErrorCode[] = ['conflict', 'competitor_cap_exceeded'];

/** The same for either API, with the details of a partial failure of `createProperty`. */
export function detailsSchema(code: ErrorCode, api: ApiName): z.ZodType | null {
  if (api === 'operator') return errorCodes[code].details;
  const details = publicDetails(code);
  return details !== null && partial.includes(code) ? z.union([PropertyPartialFailure, details]) : details;
}

type ErrorCodeList = {
  /** Value of the extension `x-error-codes`. */
  codes: Record<string, object>;
  /** Schemas that the extension refers to. */
  schemas: Record<string, object>;
};

export function describeErrorCodes(list: readonly ErrorCode[], api: ApiName): ErrorCodeList {
  const schemas: Record<string, object> = {};
  const codes = list.map((code) => {
    const { status, message, retryable } = errorCodes[code];
    const entry = { status, message, 'x-retryable': retryable };
    const details = detailsSchema(code, api);
    if (details === null) return [code, entry];
    const { schema, components } = createSchema(details);
    Object.assign(schemas, components);
    return [code, { ...entry, details: schema }];
  });
  return { codes: Object.fromEntries(codes) as Record<string, object>, schemas };
}
