export type Operation = {
  readonly id: string;
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Path below the base URL, with `{name}` for parameters. */
  readonly path: string;
  /** Whether an `Idempotency-Key` is sent. */
  readonly idempotent: boolean;
  /** Fields of the request body. */
  readonly fields?: readonly string[];
  /** Query parameters of an operation that returns a single resource. A list sends everything that is not in the path. */
  readonly query?: readonly string[];
};

/** Status and headers of a response. */
export type ResponseInfo = {
  operation: string;
  method: string;
  url: string;
  /** Number of the attempt, from 1. */
  attempt: number;
  status: number;
  headers: Headers;
  /** Time from the request to the end of the response body, milliseconds. */
  durationMs: number;
  requestId: string | undefined;
  /** Whether this is the stored response of an earlier attempt. */
  idempotentReplayed: boolean;
  /** The allowance of the clock minute, if the response has it. */
  rateLimit: { limit: number; remaining: number; resetsAt: Date } | undefined;
};

export type RetryInfo = {
  operation: string;
  /** Number of the attempt that failed, from 1. */
  attempt: number;
  waitMs: number;
  error: unknown;
};

export type RetryOptions = {
  /**
   * Attempts after the first. Default 5. Waits for `scan_in_progress` and `idempotency_key_in_flight` do not count: only
   * the deadline limits them.
   */
  maxRetries: number;
  /** First backoff without a `Retry-After`. Doubles with every attempt. Default 250. */
  baseDelayMs: number;
  /** Maximum backoff. Default 8,000. */
  maxDelayMs: number;
  /** The client throws instead of waiting for a longer `Retry-After`, as of a spent monthly quota. Default 65,000. */
  maxRetryAfterMs: number;
};

/** Log messages with their fields. `console` is one. */
export type Logger = {
  /** Every response. */
  debug: (message: string, fields: object) => void;
  /** Every retry, and body fields and query parameters that the API does not know. */
  warn: (message: string, fields: object) => void;
};

export type ClientOptions = {
  /**
   * Base URL with its version, for example `https://api.example.com/v1`. Default: the environment variable
   * `BV_BASE_URL`.
   */
  baseUrl?: string | undefined;
  /** Key of the API. Default: the environment variable `BV_API_KEY`. */
  apiKey?: string | undefined;
  /** Deadline of a call with all its retries, or of each page of a list. Default 120,000. */
  timeoutMs?: number | undefined;
  /** Deadline of one attempt. Default 30,000. */
  attemptTimeoutMs?: number | undefined;
  retry?: Partial<RetryOptions> | undefined;
  /** Replaces the global `fetch`. */
  fetch?: typeof globalThis.fetch | undefined;
  /** Prepended to the `User-Agent` of the SDK. */
  userAgent?: string | undefined;
  /** Headers of every request, such as those of tracing. They cannot replace those of the SDK. */
  headers?: Readonly<Record<string, string>> | undefined;
  /** Gets every response and retry. Keys and bodies are never logged. */
  logger?: Logger | undefined;
  /** Called for every response. */
  onResponse?: ((info: ResponseInfo) => void) | undefined;
  /** Called before every wait. */
  onRetry?: ((info: RetryInfo) => void) | undefined;
};

export type CallOptions = {
  /** Ends the call. It rejects with the reason of the signal. */
  signal?: AbortSignal | undefined;
  /** Replaces the value of the client. */
  timeoutMs?: number | undefined;
  /** Replaces values of the client. `{ maxRetries: 0 }` makes one attempt. */
  retry?: Partial<RetryOptions> | undefined;
  /** Further headers of this call. */
  headers?: Readonly<Record<string, string>> | undefined;
  /** Called for the responses of this call. */
  onResponse?: ((info: ResponseInfo) => void) | undefined;
};

export type WaitOptions = Omit<CallOptions, 'timeoutMs'> & {
  /** Wait between two polls. Each poll is one request. Default 5,000. */
  pollIntervalMs?: number | undefined;
  /** Deadline of the whole wait. Then it rejects with a `TimeoutError`. Default 1,800,000. */
  timeoutMs?: number | undefined;
};

export type WriteOptions = CallOptions & {
  /** 1 to 255 visible ASCII characters. By default every call gets a new key, which its retries keep. */
  idempotencyKey?: string | undefined;
};

export type ListOptions = CallOptions & {
  /**
   * What to do when the data changed between two pages: `throw` the `invalid_cursor`, or `restart` at the first page. A
   * restart yields rows again. Default: `restart` for `all()`, which drops the earlier ones, else `throw`.
   */
  onStale?: 'restart' | 'throw' | undefined;
  /** Maximum number of restarts. Default 5. */
  maxRestarts?: number | undefined;
  /** Called at every restart, so that the caller drops the rows collected so far. */
  onRestart?: (() => void) | undefined;
};

const retryDefaults: RetryOptions = {
  maxRetries: 5,
  baseDelayMs: 250,
  maxDelayMs: 8_000,
  maxRetryAfterMs: 65_000,
};

/** Validates a count or duration: 0 or more, and within the range of timers. */
export function checkRange(name: string, value: number): number {
  if (!(value >= 0 && value < 2 ** 31)) throw new TypeError(`${name} must be between 0 and 2^31 - 1`);
  return value;
}

export function readRetryOptions(options: Partial<RetryOptions> = {}, base = retryDefaults): RetryOptions {
  const set = Object.entries(options).filter(([, value]) => value !== undefined);
  for (const [name, value] of set) checkRange(`retry.${name}`, value);
  return { ...base, ...Object.fromEntries(set) };
}

/** A variable of the environment. Runtimes without one have none. */
function readVariable(name: string): string | undefined {
  const { process: runtime } = globalThis as { process?: { env?: Record<string, string | undefined> } };
  return runtime?.env?.[name];
}

export function readBaseUrl(written = readVariable('BV_BASE_URL')): string {
  if (written === undefined) throw new TypeError('pass baseUrl or set BV_BASE_URL');
  const url = URL.canParse(written) ? new URL(written) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol)) {
    throw new TypeError('baseUrl must be an http(s) URL such as https://api.example.com/v1');
  }
  if (url.username !== '' || url.password !== '' || url.search !== '' || url.hash !== '') {
    throw new TypeError('baseUrl must not have credentials, a query or a fragment; pass the key as apiKey');
  }
  return url.href.replace(/(?<!\/)\/+$/, '');
}

export function readApiKey(written = readVariable('BV_API_KEY')): string {
  if (written === undefined) throw new TypeError('pass apiKey or set BV_API_KEY');
  const visible = typeof written === 'string' && /^[\x21-\x7e]+$/.test(written);
  if (!visible) throw new TypeError('apiKey is empty or has invalid characters');
  return written;
}
