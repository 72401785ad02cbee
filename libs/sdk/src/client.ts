import { UnexpectedResponseError } from './errors.ts';
import { Operations, sdkVersion } from './generated/operations.ts';
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
  type WriteOptions,
} from './options.ts';
import { backoffMs, planRetry } from './retry.ts';
import { type ApiResponse, attempt } from './transport.ts';
import { sleep, within } from './wait.ts';

type Values = Record<string, unknown>;

/** Encodes a path segment. Throws if it is empty or would change the path. */
function segment(name: string, value: unknown): string {
  if (typeof value !== 'string' || value === '' || value === '.' || value === '..') {
    throw new TypeError(`${name} must be an id`);
  }
  return encodeURIComponent(value);
}

const parameters = (operation: Operation): string[] =>
  [...operation.path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);

const only = (values: Values, names: readonly string[]): Values =>
  Object.fromEntries(names.map((name) => [name, values[name]]));

const without = (values: Values, names: string[]): Values =>
  Object.fromEntries(Object.entries(values).filter(([name]) => !names.includes(name)));

function toQuery(values: Values): string {
  const set = Object.entries(values).filter(([, value]) => value !== undefined);
  const query = new URLSearchParams(set.map(([name, value]) => [name, String(value)]));
  return set.length === 0 ? '' : `?${query.toString()}`;
}

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

  constructor(options: ClientOptions) {
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
  }

  protected override async call<T>(
    operation: Operation,
    params: object,
    body: unknown,
    options: WriteOptions,
  ): Promise<T> {
    const path = this.#path(operation, params as Values);
    const query = toQuery(only(params as Values, operation.query ?? []));
    const response = await this.#send(operation, path + query, body, options);
    return response.body['data'] as T;
  }

  protected override list<T>(operation: Operation, input: object, options: ListOptions): List<T> {
    const path = this.#path(operation, input as Values);
    return new List<T>({
      input: without(input as Values, parameters(operation)),
      options,
      load: async (query) => {
        const response = await this.#send(operation, path + toQuery(query), undefined, options);
        return parsePage<T>(response, query.cursor);
      },
      waitForRestart: (restart) => sleep(backoffMs(restart, this.#retry), options.signal),
    });
  }

  #path(operation: Operation, values: Values): string {
    return parameters(operation).reduce(
      (path, name) => path.replace(`{${name}}`, segment(name, values[name])),
      operation.path,
    );
  }

  async #send(
    operation: Operation,
    path: string,
    body: unknown,
    options: WriteOptions,
  ): Promise<ApiResponse> {
    const timeoutMs = checkRange('timeoutMs', options.timeoutMs ?? this.#options.timeoutMs ?? 120_000);
    const deadline = Date.now() + timeoutMs;
    const text = body === undefined ? undefined : JSON.stringify(body);
    let key = newKey(operation, options);
    for (let number = 1, counted = 1; ; number += 1) {
      try {
        return await this.#attempt(
          operation,
          path,
          { text, key, remainingMs: deadline - Date.now() },
          options,
        );
      } catch (error) {
        const plan = planRetry(error, counted, this.#retry);
        const exhausted = plan === undefined || (plan.counts && counted > this.#retry.maxRetries);
        if (exhausted || Date.now() + plan.waitMs >= deadline) throw error;
        // Never replace a key that the caller has passed.
        if (plan.newKey && options.idempotencyKey !== undefined) throw error;
        if (plan.newKey) key = newKey(operation, options);
        if (plan.counts) counted += 1;
        const { waitMs } = plan;
        this.#options.onRetry?.({ operation: operation.id, attempt: number, waitMs, error });
        await sleep(waitMs, options.signal);
      }
    }
  }

  #attempt(
    operation: Operation,
    path: string,
    sent: { text: string | undefined; key: string | undefined; remainingMs: number },
    options: CallOptions,
  ): Promise<ApiResponse> {
    const headers = {
      ...this.#headers,
      ...(sent.text === undefined ? {} : { 'content-type': 'application/json' }),
      ...(sent.key === undefined ? {} : { 'idempotency-key': sent.key }),
    };
    const init = {
      method: operation.method,
      headers,
      ...(sent.text === undefined ? {} : { body: sent.text }),
    };
    const request = { operation: operation.id, url: this.#baseUrl + path, init };
    const onInfo = (info: ResponseInfo) => {
      this.#options.onResponse?.(info);
      options.onResponse?.(info);
    };
    const attemptMs = Math.min(this.#options.attemptTimeoutMs ?? 30_000, Math.max(sent.remainingMs, 0));
    return within(attemptMs, options.signal, (signal) => attempt(this.#fetch, request, signal, onInfo));
  }
}
