import type { PlatformId } from '@bv/contract';
import {
  PlatformError,
  type PlatformAdapter,
  type PlatformAnswer,
  type PlatformRequest,
  type Usage,
} from './platform.ts';
import type { PlatformHttp } from './platform-http.ts';

export type PlatformConfig = {
  /** Scheme, host and, for a proxy, a path prefix; the adapter appends the service's own path. */
  baseUrl: string;
  apiKey: string | null;
  model: string;
  /** Vendor of the search results for AI Overviews; SerpApi by default. */
  provider?: 'serpapi' | 'dataforseo';
  /** API of Perplexity; chat completions by default. */
  api?: 'agent' | 'chat_completions';
  prices?: Prices;
};

/** Input of an adapter for one prompt. The signal carries the caller's abort and the deadline. */
export type RequestContext = {
  request: PlatformRequest;
  apiKey: string;
  config: PlatformConfig;
  http: PlatformHttp;
  signal: AbortSignal;
};

/** A configured URL may end in a slash, and the appended paths start with one. */
function withoutTrailingSlash(config: PlatformConfig): PlatformConfig {
  return { ...config, baseUrl: config.baseUrl.replace(/(?<!\/)\/+$/, '') };
}

type SendRequest = (context: RequestContext) => Promise<Omit<PlatformAnswer, 'latencyMs'>>;

/**
 * Wraps what all adapters share: no call without a key, one deadline over all calls, the latency, and `PlatformError`
 * for every failure of the platform.
 */
export function createAdapter(
  platform: PlatformId,
  config: PlatformConfig,
  http: PlatformHttp,
  send: SendRequest,
): PlatformAdapter {
  const normalised = withoutTrailingSlash(config);
  return {
    platform,
    send: async (request, { signal }) => {
      if (config.apiKey === null)
        throw new PlatformError('unconfigured', `no API key is configured for ${platform}`);
      const deadline = AbortSignal.timeout(http.timeoutMs);
      const startedAt = performance.now();
      try {
        const combined = AbortSignal.any([signal, deadline]);
        combined.throwIfAborted();
        const answer = await send({
          request,
          apiKey: config.apiKey,
          config: normalised,
          http,
          signal: combined,
        });
        const latencyMs = Math.round(performance.now() - startedAt);
        return { ...answer, costUsd: validCost(answer.costUsd), latencyMs };
      } catch (error) {
        if (error instanceof PlatformError) throw error;
        if (signal.aborted) throw signal.reason;
        throw toPlatformError(error, deadline.aborted);
      }
    },
  };
}

const networkCodes =
  /^(?:E(?!RR_)[A-Z0-9_]+|HPE_.*|ERR_SSL.*|ERR_TLS.*|ERR_STREAM_PREMATURE_CLOSE|CERT_.*|DEPTH_.*|SELF_.*|UNABLE_.*)$/;

function toPlatformError(error: unknown, hasTimedOut: boolean): PlatformError {
  const code = getErrorCode(error);
  if (hasTimedOut || code === 'ETIMEDOUT') {
    return new PlatformError('timeout', 'the deadline passed', { cause: error });
  }
  if (networkCodes.test(code)) {
    return new PlatformError('unavailable', `connection failed: ${code}`, { cause: error });
  }
  // An internal error must not look like a failure of the platform.
  throw error;
}

function getErrorCode(error: unknown): string {
  return typeof error === 'object' && error !== null && 'code' in error ? String(error.code) : '';
}

/** Prices in US dollars; a missing price counts as 0. */
export type Prices = {
  inputPerMillionTokensUsd?: number;
  outputPerMillionTokensUsd?: number;
  searchUsd?: number;
  requestUsd?: number;
};

/** Cost in US dollars. Null without prices: an unknown cost is not 0. */
export function costUsd(prices: Prices | undefined, usage: Usage): number | null {
  if (prices === undefined) return null;
  const cost =
    (usage.inputTokens * (prices.inputPerMillionTokensUsd ?? 0)) / 1_000_000 +
    (usage.outputTokens * (prices.outputPerMillionTokensUsd ?? 0)) / 1_000_000 +
    usage.searches * (prices.searchUsd ?? 0) +
    usage.requests * (prices.requestUsd ?? 0);
  return Math.round(cost * 1_000_000) / 1_000_000;
}

/** More than a unit can cost. */
const maxCostUsd = 1_000;

/** Null for a negative or implausibly high cost, from a wrong price or token count: it would falsify the sums. */
function validCost(cost: number | null): number | null {
  return cost !== null && cost >= 0 && cost <= maxCostUsd ? cost : null;
}
