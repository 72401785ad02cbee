import { ApiPromise, type WithResponse } from './api-promise.ts';
import { UnexpectedResponseError } from './errors.ts';
import { Operations, sdkVersion } from './generated/operations.ts';
import type { GetScanInput, ScanJob } from './generated/types.ts';
import { List, type Page } from './list.ts';
import {
  type CallOptions,
  type ClientOptions,
  type ListOptions,
  type Operation,
  checkRange,
  readApiKey,
  readBaseUrl,
  readRetryOptions,
  type ResponseInfo,
  type RetryOptions,
  type WaitOptions,
  type WriteOptions,
} from './options.ts';
import { getParameters, toPath, toQuery, type Values } from './path.ts';
import { backoffMs, planRetry } from './retry.ts';
import { type ApiResponse, attempt } from './transport.ts';
import { waitForEnd } from './wait-for-end.ts';
import { sleep, within } from './wait.ts';

/** A request for `request`: an operation that this version of the SDK does not have. */
export type RawRequest = {
  method: Operation['method'];
  /** Path below the base URL, with its parameters encoded. */
  path: string;
  query?: Readonly<Record<string, string | number | boolean | undefined>> | undefined;
  body?: unknown;
};

const only = (values: Values, names: readonly string[]): Values =>
  Object.fromEntries(names.map((name) => [name, values[name]]));

const without = (values: Values, names: string[]): Values =>
  Object.fromEntries(Object.entries(values).filter(([name]) => !names.includes(name)));

function newKey(operation: Operation, options: WriteOptions): string | undefined {
  if (!operation.idempotent) return undefined;
  const { idempotencyKey } = options;
  if (idempotencyKey !== undefined && !/^[\x21-\x7e]{1,255}$/.test(idempotencyKey)) {
    throw new TypeError('idempotencyKey must be 1 to 255 visible ASCII characters');
  }
  return idempotencyKey ?? crypto.randomUUID();
}

function parsePage<T>({ body, info }: ApiResponse, cursor: string | undefined): Omit<Page<T>, 'walk'> {
  const { data, pagination } = body as { data: unknown; pagination?: Values | null };
  const next = pagination?.['next_cursor'];
  const hasMore = pagination?.['has_more'];
  const isLast = hasMore === false && next === null;
  const isContinued = hasMore === true && typeof next === 'string' && next !== cursor;
  if (!Array.isArray(data) || !(isLast || isContinued)) {
    throw new UnexpectedResponseError('the response is not a page of a list', info);
  }
  return {
    data: data as T[],
    nextCursor: isLast ? null : (next as string),
    hasMore: !isLast,
    requestId: info.requestId,
  };
}

/** Client of the Brand Visibility Data API. One instance serves any number of concurrent calls. */
export class BrandVisibilityClient extends Operations {
  readonly #options: ClientOptions;
  readonly #baseUrl: string;
  readonly #retry: RetryOptions;
  readonly #fetch: typeof globalThis.fetch;
  readonly #headers: Record<string, string>;

  constructor(options: ClientOptions = {}) {
    super();
    this.#options = options;
    this.#baseUrl = readBaseUrl(options.baseUrl);
    this.#retry = readRetryOptions(options.retry);
    checkRange('timeoutMs', options.timeoutMs ?? 0);
    checkRange('attemptTimeoutMs', options.attemptTimeoutMs ?? 0);
    this.#fetch = options.fetch ?? ((input, init) => globalThis.fetch(input, init));
    const agent = `bv-sdk-js/${sdkVersion}`;
    this.#headers = {
      authorization: `Bearer ${readApiKey(options.apiKey)}`,
      accept: 'application/json',
      'user-agent': options.userAgent === undefined ? agent : `${options.userAgent} ${agent}`,
    };
    // Throws for an invalid header.
    void new Headers(options.headers);
  }

  /** Waits until a scan has ended, and returns it. Its `status` says how it ended. */
  async waitForScan(params: GetScanInput, options: WaitOptions = {}): Promise<ScanJob> {
    const isEnded = ({ status }: ScanJob) => status !== 'queued' && status !== 'running';
    return waitForEnd((poll) => this.getScan(params, poll), isEnded, `scan ${params.jobId}`, options);
  }

  /** Sends a request for which this version has no method. Returns `data` of the response. */
  request<T = unknown>({ method, path, query = {}, body }: RawRequest, options: WriteOptions = {}) {
    if (!path.startsWith('/')) throw new TypeError('path must start with /');
    const operation: Operation = { id: `${method} ${path}`, method, path, idempotent: method !== 'GET' };
    return new ApiPromise(this.#getData<T>(operation, path + toQuery(query), body, options));
  }

  protected override call<T>(
    operation: Operation,
    params: object,
    body: unknown,
    options: WriteOptions,
  ): ApiPromise<T> {
    const send = async () => {
      const query = toQuery(only(params as Values, operation.query ?? []));
      return this.#getData<T>(operation, toPath(operation, params as Values) + query, body, options);
    };
    return new ApiPromise(send());
  }

  protected override list<T>(operation: Operation, input: object, options: ListOptions): List<T> {
    const path = toPath(operation, input as Values);
    return new List<T>({
      input: without(input as Values, getParameters(operation)),
      options,
      load: async (query) => {
        const response = await this.#send(operation, path + toQuery(query), undefined, options);
        return parsePage<T>(response, query.cursor);
      },
      waitForRestart: (restart) => sleep(backoffMs(restart, this.#retry), options.signal),
    });
  }

  async #getData<T>(
    operation: Operation,
    path: string,
    body: unknown,
    options: WriteOptions,
  ): Promise<WithResponse<T>> {
    const response = await this.#send(operation, path, body, options);
    return { data: response.body['data'] as T, response: response.info };
  }

  /** Fields that the API does not know are usually misspelt: the API ignores them. */
  #warnOfUnknownFields({ id, fields }: Operation, body: unknown): void {
    if (fields === undefined || typeof body !== 'object' || body === null) return;
    const unknown = Object.keys(body).filter((name) => !fields.includes(name));
    if (unknown.length === 0) return;
    this.#options.logger?.warn(`${id}: unknown fields ${unknown.join(', ')}`, { operation: id, unknown });
  }

  async #send(
    operation: Operation,
    path: string,
    body: unknown,
    options: WriteOptions,
  ): Promise<ApiResponse> {
    const timeoutMs = checkRange('timeoutMs', options.timeoutMs ?? this.#options.timeoutMs ?? 120_000);
    const deadline = Date.now() + timeoutMs;
    const retry = readRetryOptions(options.retry, this.#retry);
    const text = body === undefined ? undefined : JSON.stringify(body);
    this.#warnOfUnknownFields(operation, body);
    let key = newKey(operation, options);
    for (let number = 1, counted = 1; ; number += 1) {
      try {
        const sent = { number, text, key, remainingMs: deadline - Date.now() };
        return await this.#attempt(operation, path, sent, options);
      } catch (error) {
        const plan = planRetry(error, counted, retry);
        const exhausted = plan === undefined || (plan.counts && counted > retry.maxRetries);
        if (exhausted || Date.now() + plan.waitMs >= deadline) throw error;
        // Never replace a key that the caller has passed.
        if (plan.newKey && options.idempotencyKey !== undefined) throw error;
        if (plan.newKey) key = newKey(operation, options);
        if (plan.counts) counted += 1;
        this.#onRetry(operation.id, number, plan.waitMs, error);
        await sleep(plan.waitMs, options.signal);
      }
    }
  }

  #onRetry(operation: string, number: number, waitMs: number, error: unknown): void {
    this.#options.onRetry?.({ operation, attempt: number, waitMs, error });
    const fields = { operation, attempt: number, waitMs, reason: String(error) };
    this.#options.logger?.warn(`${operation}: retry in ${Math.round(waitMs)} ms`, fields);
  }

  #onResponse(info: ResponseInfo, options: CallOptions): void {
    this.#options.onResponse?.(info);
    options.onResponse?.(info);
    const { headers: _, ...fields } = info;
    this.#options.logger?.debug(`${info.operation}: ${info.status}`, fields);
    const ignored = info.headers.get('x-ignored-parameters');
    if (ignored !== null)
      this.#options.logger?.warn(`${info.operation}: ignored parameters ${ignored}`, fields);
  }

  #attempt(
    operation: Operation,
    path: string,
    sent: { number: number; text: string | undefined; key: string | undefined; remainingMs: number },
    options: CallOptions,
  ): Promise<ApiResponse> {
    const headers = new Headers(this.#options.headers);
    const own = {
      ...this.#headers,
      ...(sent.text === undefined ? {} : { 'content-type': 'application/json' }),
      ...(sent.key === undefined ? {} : { 'idempotency-key': sent.key }),
    };
    for (const [name, value] of [...Object.entries(options.headers ?? {}), ...Object.entries(own)]) {
      headers.set(name, value);
    }
    const { method, id } = operation;
    const init = { method, headers, ...(sent.text === undefined ? {} : { body: sent.text }) };
    const request = { operation: id, attempt: sent.number, url: this.#baseUrl + path, init };
    const attemptMs = Math.min(this.#options.attemptTimeoutMs ?? 30_000, Math.max(sent.remainingMs, 0));
    return within(attemptMs, options.signal, (signal) =>
      attempt(this.#fetch, request, signal, (info) => this.#onResponse(info, options)),
    );
  }
}
