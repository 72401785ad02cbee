import type { PlatformId } from '@bv/contract';

export type PlatformRequest = {
  prompt: string;
  /** ISO 3166-1 alpha-2, upper case. */
  country: string;
  /** The day of the scan, YYYY-MM-DD. Platforms answer for today, so adapters do not send it. */
  runDate: string;
};

type Source = {
  /** 1-based: cited sources by first citation, then sources that were only retrieved. */
  position: number;
  url: string;
  domain: string;
  title: string | null;
  cited: boolean;
};

export type Localization = 'native' | 'prompt' | 'none';

/** The part of an answer that is parsed from the platform's body. */
export type ParsedAnswer = {
  outcome: 'answered' | 'no_answer';
  answerText: string | null;
  /** Whether the platform stopped before the text was complete: at its token limit or by a filter. */
  truncated: boolean;
  sources: Source[];
  /** Cited links behind a redirect of the platform whose page is not known. */
  sourcesUnresolved: number;
  searchQueries: string[];
  /** The model that answered; may differ from the requested one. */
  model: string | null;
  searchUsed: boolean | null;
};

/** Over all HTTP calls of a prompt. Tokens are 0 if the platform states none. */
export type Usage = { inputTokens: number; outputTokens: number; searches: number; requests: number };

/** A body is parsed once, for both. */
export type ParsedBody = ParsedAnswer & { usage: Usage };

export type PlatformAnswer = ParsedBody & {
  /** How the request stated the market. */
  localization: Localization;
  costUsd: number | null;
  latencyMs: number;
};

export type PlatformAdapter = {
  platform: PlatformId;
  /** Sends a prompt. Throws PlatformError, or the signal's reason if it is aborted. */
  send(request: PlatformRequest, options: { signal: AbortSignal }): Promise<PlatformAnswer>;
};

export type PlatformErrorKind =
  | 'rate_limited'
  | 'unavailable'
  | 'timeout'
  | 'unauthorised'
  | 'rejected'
  | 'malformed'
  | 'quota'
  | 'unconfigured';

const retryableKinds: ReadonlySet<PlatformErrorKind> = new Set([
  'rate_limited',
  'unavailable',
  'timeout',
  'malformed',
]);

type PlatformErrorOptions = {
  status?: number | null;
  retryAfterSeconds?: number | null;
  /** Overrides the default of the kind. */
  retryable?: boolean;
  cause?: unknown;
};

/** A failed request to a platform. The message goes to the logs: it never contains a key or a whole body. */
export class PlatformError extends Error {
  override readonly name = 'PlatformError';
  readonly kind: PlatformErrorKind;
  readonly status: number | null;
  readonly retryAfterSeconds: number | null;
  readonly retryable: boolean;

  constructor(kind: PlatformErrorKind, message: string, options: PlatformErrorOptions = {}) {
    super(message.slice(0, 300), { cause: options.cause });
    this.kind = kind;
    this.status = options.status ?? null;
    this.retryAfterSeconds = options.retryAfterSeconds ?? null;
    this.retryable = options.retryable ?? retryableKinds.has(kind);
  }
}
