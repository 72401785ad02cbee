import type { z } from 'zod';
import type { ErrorCode } from './error-codes.ts';

export type ServiceName = 'gateway' | 'catalog' | 'results' | 'scans' | 'webhooks';
export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

type Schema = z.ZodType;

type Kind = 'item' | 'list';

type Definition<
  P extends Schema,
  Q extends Schema,
  B extends Schema | null,
  D extends Schema,
  K extends Kind,
> = {
  id: string;
  service: ServiceName;
  method: Method;
  /** Path below the prefix, with `{name}` for parameters. */
  path: string;
  summary: string;
  description?: string;
  /** Partner keys only (`403 partner_only` for an organisation key). */
  partnerOnly?: boolean;
  params: P;
  query: Q;
  body: B;
  /** Format of the body. `ndjson` bodies are streamed and have no schema here. */
  bodyKind?: 'json' | 'ndjson';
  success: { status: 200 | 201 | 202; kind: K; data: D };
  /** Codes in addition to those that every operation of its kind can return. */
  errors?: readonly ErrorCode[];
};

export type Operation<
  P extends Schema = Schema,
  Q extends Schema = Schema,
  B extends Schema | null = Schema | null,
  D extends Schema = Schema,
  K extends Kind = Kind,
> = Readonly<
  Required<Omit<Definition<P, Q, B, D, K>, 'description'>> & {
    description?: string;
    api: 'public' | 'operator';
    access: 'read' | 'write';
    /** Whether it accepts an `Idempotency-Key`, as every public write does. */
    idempotent: boolean;
    /** The counters that an authenticated request is charged to. */
    charges: 'minute_and_month' | 'nothing';
  }
>;

const everyOperation: readonly ErrorCode[] = [
  'validation_error',
  'invalid_api_key',
  'tier_not_entitled',
  'rate_limited',
  'quota_exceeded',
  'internal_error',
  'api_unavailable',
  'rate_limit_unavailable',
];
const everyBody: readonly ErrorCode[] = ['invalid_json', 'invalid_body', 'payload_too_large'];
const everyWrite: readonly ErrorCode[] = [
  ...everyBody,
  'write_scope_required',
  'idempotency_key_reuse',
  'idempotency_key_in_flight',
];
const everyOperatorCall: readonly ErrorCode[] = [
  'validation_error',
  'invalid_operator_token',
  'not_found',
  'internal_error',
  'api_unavailable',
];

const unique = <T>(values: readonly T[]): T[] => [...new Set(values)];

/** Defines an operation of the public API. Adds the error codes that every operation of its kind can return. */
export function operation<
  P extends z.ZodType,
  Q extends z.ZodType,
  B extends z.ZodType | null,
  D extends z.ZodType,
  K extends Kind,
>(definition: Definition<P, Q, B, D, K>): Operation<P, Q, B, D, K> {
  const access = definition.method === 'GET' ? 'read' : 'write';
  const orgScoped = definition.path.includes('{orgId}');
  const errors = unique([
    ...everyOperation,
    ...(access === 'read' ? (['body_not_allowed', 'invalid_cursor'] as const) : everyWrite),
    ...(orgScoped ? (['not_found'] as const) : []),
    ...(orgScoped && access === 'write' ? (['link_scope_insufficient'] as const) : []),
    ...(definition.partnerOnly ? (['partner_only'] as const) : []),
    ...(definition.path.includes('{') ? (['not_found'] as const) : []),
    ...(definition.errors ?? []),
  ]).filter((code) => code !== 'invalid_cursor' || definition.success.kind === 'list');
  return {
    partnerOnly: false,
    bodyKind: 'json',
    ...definition,
    api: 'public',
    access,
    idempotent: access === 'write',
    charges: 'minute_and_month',
    errors,
  };
}

/** Defines an operation of the operator API: no metering, no idempotency keys, an operator token instead of a key. */
export function operatorOperation<
  P extends z.ZodType,
  Q extends z.ZodType,
  B extends z.ZodType | null,
  D extends z.ZodType,
  K extends Kind,
>(definition: Definition<P, Q, B, D, K>): Operation<P, Q, B, D, K> {
  return {
    partnerOnly: false,
    bodyKind: 'json',
    ...definition,
    api: 'operator',
    access: definition.method === 'GET' ? 'read' : 'write',
    idempotent: false,
    charges: 'nothing',
    errors: unique([
      ...everyOperatorCall,
      ...(definition.method === 'GET' ? (['body_not_allowed'] as const) : everyBody),
      ...(definition.success.kind === 'list' ? (['invalid_cursor'] as const) : []),
      ...(definition.errors ?? []),
    ]),
  };
}

export type PathParams<O extends Operation> = z.output<O['params']>;
export type QueryParams<O extends Operation> = z.output<O['query']>;
export type RequestBody<O extends Operation> = O['body'] extends z.ZodType ? z.output<O['body']> : undefined;
/** The body as sent, before duplicates are removed and text is trimmed. The paths of a refusal refer to it. */
export type RequestBodyInput<O extends Operation> = O['body'] extends z.ZodType
  ? z.input<O['body']>
  : undefined;
/** The type of `data`, or of one element for a list. */
export type ResponseData<O extends Operation> = z.output<O['success']['data']>;
