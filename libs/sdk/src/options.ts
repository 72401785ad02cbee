export type Operation = {
  readonly id: string;
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Path below the base URL, with `{name}` for parameters. */
  readonly path: string;
  /** Whether an `Idempotency-Key` is sent. */
  readonly idempotent: boolean;
};

/** What the headers of an answer say. */
export type ResponseInfo = {
  operation: string;
  status: number;
  requestId: string | undefined;
  /** Whether this is the stored answer of an earlier attempt. */
  idempotentReplayed: boolean;
  /** The allowance of the clock minute, where the answer names it. */
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
  /** Attempts after the first. Waits for `scan_in_progress` and `idempotency_key_in_flight` are bounded by the deadline alone. Default 5. */
  maxRetries: number;
  /** First backoff where no `Retry-After` is given; doubles with every attempt. Default 250. */
  baseDelayMs: number;
  /** Greatest backoff. Default 8,000. */
  maxDelayMs: number;
  /** A longer `Retry-After` (a spent monthly quota) is thrown instead of waited for. Default 65,000. */
  maxRetryAfterMs: number;
};

export type ClientOptions = {
  /** Base URL with its version, for example `https://api.example.com/v1`. */
  baseUrl: string;
  apiKey: string;
  /** Deadline of a call with all its retries; of a list, of each page. Default 120,000. */
  timeoutMs?: number | undefined;
  /** Deadline of one attempt. Default 30,000. */
  attemptTimeoutMs?: number | undefined;
  retry?: Partial<RetryOptions> | undefined;
  /** Instead of the global `fetch`. */
  fetch?: typeof globalThis.fetch | undefined;
  /** Put before the SDK's own `User-Agent`. */
  userAgent?: string | undefined;
  /** Told of every answer. */
  onResponse?: ((info: ResponseInfo) => void) | undefined;
  /** Told before every wait. */
  onRetry?: ((info: RetryInfo) => void) | undefined;
};

export type CallOptions = {
  signal?: AbortSignal | undefined;
  /** Instead of the client's. */
  timeoutMs?: number | undefined;
  /** Told of the answers of this call. */
  onResponse?: ((info: ResponseInfo) => void) | undefined;
};

export type WriteOptions = CallOptions & {
  /** 1 to 255 visible ASCII characters. Without it every call gets a new one, kept over its retries. */
  idempotencyKey?: string | undefined;
};

export type ListOptions = CallOptions & {
  /**
   * What to do when the data changed in the middle of a walk: `throw` (default) the `invalid_cursor`, or `restart`
   * from the first page. Rows seen before a restart come again.
   */
  onStale?: 'restart' | 'throw' | undefined;
  /** Restarts before the walk gives up. Default 5. */
  maxRestarts?: number | undefined;
  /** Told of every restart: what was collected so far is to be dropped. */
  onRestart?: (() => void) | undefined;
};

const retryDefaults: RetryOptions = {
  maxRetries: 5,
  baseDelayMs: 250,
  maxDelayMs: 8_000,
  maxRetryAfterMs: 65_000,
};

/** A count or a duration that no timer would take for something else. */
export function positive(name: string, value: number): number {
  if (!(value >= 0 && value < 2 ** 31)) throw new TypeError(`${name} must be between 0 and 2^31 - 1`);
  return value;
}

export function readRetryOptions(given: Partial<RetryOptions> = {}): RetryOptions {
  const set = Object.entries(given).filter(([, value]) => value !== undefined);
  for (const [name, value] of set) positive(`retry.${name}`, value);
  return { ...retryDefaults, ...Object.fromEntries(set) };
}

export function readBaseUrl(written: string): string {
  const url = URL.canParse(written) ? new URL(written) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol)) {
    throw new TypeError('baseUrl must be an http(s) URL such as https://api.example.com/v1');
  }
  if (url.username !== '' || url.password !== '' || url.search !== '' || url.hash !== '') {
    throw new TypeError('baseUrl carries neither credentials nor a query; the key goes into apiKey');
  }
  return url.href.replace(/(?<!\/)\/+$/, '');
}

export function readApiKey(written: string): string {
  const visible = typeof written === 'string' && /^[\x21-\x7e]+$/.test(written);
  if (!visible) throw new TypeError('apiKey is empty or holds characters that no key has');
  return written;
}
