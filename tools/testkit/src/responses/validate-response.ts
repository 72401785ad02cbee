import { callerHeader } from '@bv/http';
import { operations } from '@bv/contract';
import {
  getBodySchema,
  getErrorCodes,
  readDocument,
  type ApiDocument,
  type HeaderSpec,
  type OperationSpec,
  type ResponseSpec,
} from './document.ts';
import type { ObservedResponse } from './observe.ts';

/** `all`: the server is not the API. `data`: a gateway that forwards responses of stubbed services. */
export type StubKind = 'all' | 'data';

/** Error codes returned before the operation is known, or between the gateway and its services. */
const beforeAnyOperation = new Set([
  'invalid_request',
  'headers_too_large',
  'cors_disabled',
  'invalid_caller',
]);

/** Headers that only the gateway sets. A service that is called directly returns none of them. */
const edgeHeaders = [
  'x-ratelimit-limit',
  'x-ratelimit-remaining',
  'x-ratelimit-reset',
  'idempotent-replayed',
];

const gatewayOperations = new Set(
  operations.filter(({ service }) => service === 'gateway').map(({ id }) => id),
);

type ErrorContent = { code?: unknown; details?: unknown };

let loaded: ApiDocument | undefined;

/** Returns one line for each difference between a response and the OpenAPI document. */
export function validateResponse(response: ObservedResponse, stubKind?: StubKind): string[] {
  loaded ??= readDocument();
  return new ResponseValidation(loaded, response, stubKind).findings;
}

class ResponseValidation {
  readonly findings: string[] = [];
  readonly #document: ApiDocument;
  readonly #response: ObservedResponse;
  readonly #body: unknown;

  constructor(document: ApiDocument, response: ObservedResponse, stubKind: StubKind | undefined) {
    this.#document = document;
    this.#response = response;
    this.#body = response.method === 'HEAD' ? undefined : this.#readBody();
    const operation = document.findOperation(response.method, response.path);
    const isForwarded = stubKind === 'data' && !gatewayOperations.has(operation?.operationId ?? '');
    this.#checkCommonHeaders();
    if (isForwarded || this.#codeIsBeforeAnyOperation()) return;
    this.#checkRequestId();
    if (operation === undefined) this.#checkUnknownOperation();
    else this.#checkOperation(operation);
  }

  #report(finding: string): void {
    this.findings.push(finding);
  }

  #readBody(): unknown {
    try {
      return JSON.parse(this.#response.body) as unknown;
    } catch {
      this.#report('the body is not JSON');
      return undefined;
    }
  }

  #error(): ErrorContent | undefined {
    return (this.#body as { error?: ErrorContent } | undefined)?.error;
  }

  #codeIsBeforeAnyOperation(): boolean {
    const code = this.#error()?.code;
    return typeof code === 'string' && beforeAnyOperation.has(code);
  }

  #checkCommonHeaders(): void {
    const { headers } = this.#response;
    const type = headers.get('content-type') ?? '';
    if (!type.startsWith('application/json')) this.#report(`content-type is '${type}'`);
    if (headers.has('access-control-allow-origin')) this.#report('CORS is disabled');
    if (!headers.has('x-request-id')) this.#report('x-request-id is missing');
  }

  #checkRequestId(): void {
    const { headers, status } = this.#response;
    const requestId = headers.get('x-request-id');
    const bodyRequestId = (this.#body as { request_id?: unknown } | undefined)?.request_id;
    if (status >= 400 && this.#body !== undefined && bodyRequestId !== requestId) {
      this.#report(`request_id is ${String(bodyRequestId)}, x-request-id ${String(requestId)}`);
    }
  }

  #checkUnknownOperation(): void {
    if (this.#response.status < 400) this.#report('success where the document has no operation');
    else if (this.#body !== undefined && typeof this.#error()?.code !== 'string')
      this.#report('no error.code');
  }

  #checkOperation(operation: OperationSpec): void {
    const response = this.#document.findResponse(operation, this.#response.status);
    if (response === undefined) {
      this.#report('the document has no such status');
      return;
    }
    const schema = getBodySchema(response);
    if (schema !== undefined && this.#body !== undefined) {
      this.findings.push(...this.#document.violations(schema, this.#body));
    }
    if (this.#response.status >= 400) this.#checkError(response);
    this.#checkHeaders(response);
  }

  #checkError(response: ResponseSpec): void {
    const { code, details } = this.#error() ?? {};
    if (typeof code !== 'string') return;
    const codes = getErrorCodes(response);
    if (!codes.includes(code)) this.#report(`error.code ${code} is none of ${codes.join(', ')}`);
    if (details === undefined) return;
    const schema = this.#document.getDetailsSchema(code);
    if (schema === undefined) this.#report(`${code} has no details`);
    else
      this.findings.push(...this.#document.violations(schema, details).map((found) => `details: ${found}`));
  }

  #checkHeaders(response: ResponseSpec): void {
    const { headers, requestHeaders, status } = this.#response;
    const specs = this.#document.toHeaderMap(response);
    const isServiceCall = requestHeaders.has(callerHeader);
    for (const [name, spec] of specs) {
      if (isServiceCall && edgeHeaders.includes(name)) continue;
      const value = headers.get(name);
      if (value !== undefined) this.#checkHeader(name, spec, value);
      else if (spec.required) this.#report(`${name} is missing`);
    }
    if ((status === 429 || status === 503) && !headers.has('retry-after')) {
      this.#report('retry-after is missing');
    }
    // The rate-limit headers are optional in every 5xx.
    if (status >= 500) return;
    for (const name of [...edgeHeaders, 'retry-after']) {
      if (headers.has(name) && !specs.has(name)) this.#report(`${name} is not documented for this response`);
    }
  }

  #checkHeader(name: string, { schema }: HeaderSpec, value: string): void {
    const read = schema.type === 'integer' && /^\d+$/.test(value) ? Number(value) : value;
    this.findings.push(
      ...this.#document.violations(schema, read).map((violation) => `${name}: ${violation}`),
    );
  }
}
