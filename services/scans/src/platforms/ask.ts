import type { PlatformId } from '@bv/contract';
import { believableCost, type Prices } from './cost.ts';
import { PlatformError, type PlatformAdapter, type PlatformAnswer, type Question } from './platform.ts';
import type { PlatformHttp } from './platform-http.ts';

export type PlatformConfig = {
  /** Scheme, host and, for a proxy, a path prefix; the adapter appends the service's own path. */
  baseUrl: string;
  apiKey: string | null;
  model: string;
  /** AI Overviews come through a vendor of search results: SerpApi unless said otherwise. */
  provider?: 'serpapi' | 'dataforseo';
  prices?: Prices;
};

/** What every adapter gets for one question. The signal carries the caller's abort and the deadline. */
export type AskContext = {
  question: Question;
  apiKey: string;
  config: PlatformConfig;
  http: PlatformHttp;
  signal: AbortSignal;
};

/** A configured address may end in a slash; the paths that follow begin with one. */
function withoutTrailingSlash(config: PlatformConfig): PlatformConfig {
  return { ...config, baseUrl: config.baseUrl.replace(/(?<!\/)\/+$/, '') };
}

type Ask = (context: AskContext) => Promise<Omit<PlatformAnswer, 'latencyMs'>>;

/** The part all adapters share: no key no call, one deadline over all calls, the time it took, one kind of error. */
export function adapter(
  platform: PlatformId,
  config: PlatformConfig,
  http: PlatformHttp,
  ask: Ask,
): PlatformAdapter {
  const settled = withoutTrailingSlash(config);
  return {
    platform,
    ask: async (question, { signal }) => {
      if (config.apiKey === null)
        throw new PlatformError('unconfigured', `no key is configured for ${platform}`);
      const deadline = AbortSignal.timeout(http.timeoutMs);
      const startedAt = performance.now();
      try {
        const both = AbortSignal.any([signal, deadline]);
        both.throwIfAborted();
        const answer = await ask({ question, apiKey: config.apiKey, config: settled, http, signal: both });
        const latencyMs = Math.round(performance.now() - startedAt);
        return { ...answer, costUsd: believableCost(answer.costUsd), latencyMs };
      } catch (error) {
        if (error instanceof PlatformError) throw error;
        if (signal.aborted) throw signal.reason;
        throw asPlatformError(error, deadline.aborted);
      }
    },
  };
}

const networkCodes =
  /^(?:E(?!RR_)[A-Z0-9_]+|HPE_.*|ERR_SSL.*|ERR_TLS.*|ERR_STREAM_PREMATURE_CLOSE|CERT_.*|DEPTH_.*|SELF_.*|UNABLE_.*)$/;

function asPlatformError(error: unknown, deadlinePassed: boolean): PlatformError {
  const code = codeOf(error);
  if (deadlinePassed || code === 'ETIMEDOUT') {
    return new PlatformError('timeout', 'no answer in time', { cause: error });
  }
  if (networkCodes.test(code)) {
    return new PlatformError('unavailable', `connection failed: ${code}`, { cause: error });
  }
  // A fault of our own must stay visible as one.
  throw error;
}

function codeOf(error: unknown): string {
  return typeof error === 'object' && error !== null && 'code' in error ? String(error.code) : '';
}
