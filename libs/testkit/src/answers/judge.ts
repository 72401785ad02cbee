import { callerHeader } from '@bv/http';
import { operations } from '@bv/contract';
import {
  bodyOf,
  readDocument,
  type ApiDocument,
  type HeaderSpec,
  type OperationSpec,
  type ResponseSpec,
} from './document.ts';
import type { SeenAnswer } from './observe.ts';

/** `all`: no part of the API answers there. `data`: a gateway that passes on what stand-ins of services say. */
export type StandIn = 'all' | 'data';

/** What answers before an operation is known, or between the gateway and its services. */
const beforeAnyOperation = new Set([
  'invalid_request',
  'headers_too_large',
  'cors_disabled',
  'invalid_caller',
]);

/** Headers that only the gateway gives; a service called directly has none of them. */
const ofTheEdge = ['x-ratelimit-limit', 'x-ratelimit-remaining', 'x-ratelimit-reset', 'idempotent-replayed'];

const ownOfGateway = new Set(operations.filter(({ service }) => service === 'gateway').map(({ id }) => id));

let loaded: ApiDocument | undefined;

/** What of an answer is outside the API's document. */
export function judge(answer: SeenAnswer, standIn?: StandIn): string[] {
  loaded ??= readDocument();
  return new Judgement(loaded, answer, standIn).findings;
}

class Judgement {
  readonly findings: string[] = [];
  readonly #document: ApiDocument;
  readonly #answer: SeenAnswer;
  readonly #body: unknown;

  constructor(document: ApiDocument, answer: SeenAnswer, standIn: StandIn | undefined) {
    this.#document = document;
    this.#answer = answer;
    this.#body = answer.method === 'HEAD' ? undefined : this.#readBody();
    const operation = document.findOperation(answer.method, answer.path);
    const passedOn = standIn === 'data' && !ownOfGateway.has(operation?.operationId ?? '');
    this.#everyAnswer();
    if (passedOn || this.#codeIsBeforeAnyOperation()) return;
    this.#requestId();
    if (operation === undefined) this.#noOperation();
    else this.#ofOperation(operation);
  }

  #find(what: string): void {
    this.findings.push(what);
  }

  #readBody(): unknown {
    try {
      return JSON.parse(this.#answer.body) as unknown;
    } catch {
      this.#find('the body is not JSON');
      return undefined;
    }
  }

  #error(): { code?: unknown } | undefined {
    return (this.#body as { error?: { code?: unknown } } | undefined)?.error;
  }

  #codeIsBeforeAnyOperation(): boolean {
    const code = this.#error()?.code;
    return typeof code === 'string' && beforeAnyOperation.has(code);
  }

  #everyAnswer(): void {
    const { headers } = this.#answer;
    const type = headers.get('content-type') ?? '';
    if (!type.startsWith('application/json')) this.#find(`content-type is '${type}'`);
    if (headers.has('access-control-allow-origin')) this.#find('CORS is disabled');
    if (!headers.has('x-request-id')) this.#find('x-request-id is missing');
  }

  #requestId(): void {
    const { headers, status } = this.#answer;
    const requestId = headers.get('x-request-id');
    const named = (this.#body as { request_id?: unknown } | undefined)?.request_id;
    if (status >= 400 && this.#body !== undefined && named !== requestId) {
      this.#find(`request_id is ${String(named)}, x-request-id ${String(requestId)}`);
    }
  }

  #noOperation(): void {
    if (this.#answer.status < 400) this.#find('success where the document has no operation');
    else if (this.#body !== undefined && typeof this.#error()?.code !== 'string') this.#find('no error.code');
  }

  #ofOperation({ responses }: OperationSpec): void {
    const response = responses[this.#answer.status];
    if (response === undefined) {
      this.#find('the document has no such status');
      return;
    }
    const schema = bodyOf(response);
    if (schema !== undefined && this.#body !== undefined) {
      this.findings.push(...this.#document.misfits(schema, this.#body));
    }
    this.#headers(response);
  }

  #headers(response: ResponseSpec): void {
    const { headers, requestHeaders, status } = this.#answer;
    const specs = this.#document.headersOf(response);
    const ofService = requestHeaders.has(callerHeader);
    for (const [name, spec] of specs) {
      if (ofService && ofTheEdge.includes(name)) continue;
      const value = headers.get(name);
      if (value !== undefined) this.#header(name, spec, value);
      else if (spec.required) this.#find(`${name} is missing`);
    }
    // Every 5xx may carry the minute's headers, and none has to.
    if (status >= 500) return;
    for (const name of [...ofTheEdge, 'retry-after']) {
      if (headers.has(name) && !specs.has(name)) this.#find(`${name} is not for this answer`);
    }
  }

  #header(name: string, { schema }: HeaderSpec, value: string): void {
    const read = schema.type === 'integer' && /^\d+$/.test(value) ? Number(value) : value;
    this.findings.push(...this.#document.misfits(schema, read).map((misfit) => `${name}: ${misfit}`));
  }
}
