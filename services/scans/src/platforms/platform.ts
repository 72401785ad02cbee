import type { PlatformId } from '@bv/contract';

export type Question = {
  prompt: string;
  /** ISO 3166-1 alpha-2, upper case. */
  country: string;
  /** The day the answer is for, YYYY-MM-DD; platforms are asked for today, so it goes nowhere. */
  runDate: string;
};

export type Source = {
  /** 1-based: cited sources first, by first citation, then those only retrieved. */
  position: number;
  url: string;
  domain: string;
  title: string | null;
  cited: boolean;
};

export type Localization = 'native' | 'prompt' | 'none';

/** What can be read from a platform's body alone. */
export type ParsedAnswer = {
  outcome: 'answered' | 'no_answer';
  answerText: string | null;
  /** Whether the platform stopped before the text was whole: at its token limit or by a filter. */
  truncated: boolean;
  sources: Source[];
  searchQueries: string[];
  /** The model that served, which may not be the one asked for. */
  model: string | null;
  searchUsed: boolean | null;
};

export type PlatformAnswer = ParsedAnswer & {
  /** How the market was told to the platform. */
  localization: Localization;
  costUsd: number | null;
  latencyMs: number;
};

export type PlatformAdapter = {
  platform: PlatformId;
  /** Throws PlatformError; what the signal is aborted with is thrown as it is. */
  ask(question: Question, options: { signal: AbortSignal }): Promise<PlatformAnswer>;
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
  /** Where the kind alone does not say it. */
  retryable?: boolean;
  cause?: unknown;
};

/** A question without an answer. The message is for our logs: it never holds a key or a whole body. */
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
