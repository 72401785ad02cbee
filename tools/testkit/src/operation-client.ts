import { randomUUID } from 'node:crypto';
import type { ErrorCode, Operation, Pagination, PathParams, ResponseData } from '@bv/contract';
import type { Caller } from '@bv/http';
import { callService, type ServiceResponse, testCaller } from './caller.ts';

type Params<O extends Operation> =
  Record<never, never> extends PathParams<O> ? { params?: PathParams<O> } : { params: PathParams<O> };

export type OperationCall<O extends Operation> = Params<O> & {
  query?: string | Record<string, string | number | boolean>;
  /** Of any type, because tests also send invalid bodies. */
  body?: unknown;
  /** Differences from a key of the organisation in the path, or from the operator. */
  caller?: Partial<Caller> | undefined;
  headers?: Record<string, string>;
};

type Refusal = { code: ErrorCode; message: string; details?: unknown };

/** `data` throws for a refusal and `error` for a success, so that no test reads a missing field. */
export class OperationResponse<O extends Operation> {
  readonly status: number;
  readonly headers: Headers;
  readonly body: unknown;

  constructor({ status, headers, body }: ServiceResponse) {
    this.status = status;
    this.headers = headers;
    this.body = body;
  }

  get data(): O['success']['kind'] extends 'list' ? ResponseData<O>[] : ResponseData<O> {
    return this.#read('data');
  }

  get pagination(): Pagination {
    return this.#read('pagination');
  }

  get error(): Refusal {
    return this.#read('error');
  }

  /** The code of a refusal; undefined for a success. */
  get code(): ErrorCode | undefined {
    return this.status < 400 ? undefined : this.error.code;
  }

  /** The fields of a refusal that a partner's program reads. */
  get refusal(): { status: number; code: ErrorCode; details: unknown } {
    const { code, details } = this.error;
    return { status: this.status, code, details };
  }

  #read<T>(field: string): T {
    const body = this.body;
    if (typeof body === 'object' && body !== null && field in body)
      return (body as Record<string, T>)[field] as T;
    throw new Error(`no ${field} in a response with status ${this.status}: ${JSON.stringify(body)}`);
  }
}

export type CallOperation = <O extends Operation>(
  operation: O,
  call: OperationCall<O>,
) => Promise<OperationResponse<O>>;

/** Calls the operations of a service as the gateway would. */
export function createOperationClient(baseUrl: string): CallOperation {
  return async (operation, { params = {}, query = '', body, caller, headers }) => {
    const { method, api } = operation;
    const values = params as Record<string, string>;
    const path = operation.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => String(values[name]));
    const search = typeof query === 'string' ? query : new URLSearchParams(toStrings(query)).toString();
    const response = await callService(baseUrl, {
      method,
      path: `${api === 'public' ? '/v1' : '/operator/v1'}${path}${search && `?${search}`}`,
      caller: testCaller({
        ...(api === 'public' ? { orgId: values['orgId'] ?? null } : operatorCaller()),
        operation: `${method} ${path}`,
        ...caller,
      }),
      ...(body === undefined ? {} : { body }),
      ...(headers && { headers }),
    });
    return new OperationResponse(response);
  };
}

const toStrings = (query: Record<string, string | number | boolean>): Record<string, string> =>
  Object.fromEntries(Object.entries(query).map(([name, value]) => [name, String(value)]));

const operatorCaller = (): Partial<Caller> => ({
  orgId: null,
  link: null,
  owner: { kind: 'operator', id: randomUUID() },
});
