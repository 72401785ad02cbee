import type { PlatformId } from '@bv/contract';
import type { GenAi, GenAiCall } from '@bv/telemetry';
import type { PlatformConfig } from './adapter.ts';
import { type PlatformAdapter, PlatformError } from './platform.ts';

type Api = Pick<GenAiCall, 'operation' | 'provider'>;

const apis: Readonly<Record<Exclude<PlatformId, 'ai_overviews'>, Api>> = {
  chatgpt: { operation: 'chat', provider: 'openai' },
  perplexity: { operation: 'chat', provider: 'perplexity' },
  gemini: { operation: 'generate_content', provider: 'gcp.gemini' },
  claude: { operation: 'chat', provider: 'anthropic' },
};

/** AI Overviews are results of a search vendor, which names no model. */
function toApi(platform: PlatformId, { provider }: PlatformConfig): Api {
  if (platform !== 'ai_overviews') return apis[platform];
  return { operation: 'retrieval', provider: provider ?? 'serpapi' };
}

/** An adapter with a span and metrics for each prompt, over all its HTTP calls. Without a key there is no call. */
export function observeAdapter(
  adapter: PlatformAdapter,
  config: PlatformConfig,
  genAi: GenAi,
): PlatformAdapter {
  if (config.apiKey === null) return adapter;
  const { platform } = adapter;
  const call = {
    ...toApi(platform, config),
    platform,
    model: config.model === '' ? null : config.model,
    url: config.baseUrl,
  };
  return {
    platform,
    send: (request, options) =>
      genAi.observe(call, () => adapter.send(request, options), {
        reply: ({ model, usage }) => ({ ...usage, model }),
        errorType: (error) => toErrorType(error, options.signal, 'internal'),
      }),
  };
}

/** The kind of a platform's error. `fallback` is the kind of any other error. */
export function toErrorType(
  error: unknown,
  signal: AbortSignal,
  fallback: 'internal' | 'unavailable',
): string {
  if (error instanceof PlatformError) return error.kind;
  if (!signal.aborted) return fallback;
  const reason: unknown = signal.reason;
  return reason instanceof Error && reason.name === 'TimeoutError' ? 'timeout' : 'aborted';
}
