import { platformIds, type PlatformId } from '@bv/contract';
import { createGenAi, createMetrics, type GenAi } from '@bv/telemetry';
import type { PlatformConfig } from '../src/platforms/adapter.ts';
import { createAdapters, requestTraits } from '../src/platforms/create-adapters.ts';
import type { PlatformHttp } from '../src/platforms/platform-http.ts';
import { PlatformError, type PlatformAdapter, type PlatformAnswer } from '../src/platforms/platform.ts';

export type AdapterName = PlatformId | 'perplexity_agent' | 'dataforseo';

const prefixes: Record<AdapterName, string> = {
  chatgpt: '/openai',
  perplexity: '/perplexity',
  perplexity_agent: '/perplexity',
  gemini: '/gemini',
  claude: '/anthropic',
  ai_overviews: '/serpapi',
  dataforseo: '/dataforseo',
};
export const adapterNames: readonly AdapterName[] = [...platformIds, 'perplexity_agent', 'dataforseo'];
export const runDate = '2026-11-21';

export function createAdapterAt(
  adapterName: AdapterName,
  overrides: Partial<PlatformConfig>,
  {
    baseUrl,
    http,
    genAi = createGenAi(createMetrics('scans')),
  }: { baseUrl: string; http: PlatformHttp; genAi?: GenAi },
): PlatformAdapter {
  const config = (each: AdapterName): PlatformConfig => ({
    // A trailing slash is allowed.
    baseUrl: `${baseUrl}${prefixes[each]}/`,
    apiKey: 'login:password',
    model: `${each === 'perplexity_agent' ? 'perplexity/' : ''}model-${each}`,
    ...overrides,
  });
  const adapters = createAdapters(
    {
      chatgpt: config('chatgpt'),
      perplexity:
        adapterName === 'perplexity_agent'
          ? { ...config('perplexity_agent'), api: 'agent' }
          : config('perplexity'),
      gemini: config('gemini'),
      claude: config('claude'),
      ai_overviews:
        adapterName === 'dataforseo'
          ? { ...config('dataforseo'), provider: 'dataforseo' }
          : config('ai_overviews'),
    },
    http,
    genAi,
  );
  return adapters[getPlatform(adapterName)];
}

export function getPlatform(adapterName: AdapterName): PlatformId {
  if (adapterName === 'dataforseo') return 'ai_overviews';
  return adapterName === 'perplexity_agent' ? 'perplexity' : adapterName;
}

export function getTraits(adapterName: AdapterName): ReturnType<typeof requestTraits> {
  return requestTraits(getPlatform(adapterName), adapterName === 'perplexity_agent' ? { api: 'agent' } : {});
}

export function send(adapter: PlatformAdapter, prompt: string, country = 'DE'): Promise<PlatformAnswer> {
  return adapter.send({ prompt, country, runDate }, { signal: new AbortController().signal });
}

export async function catchError(pending: Promise<unknown>): Promise<PlatformError> {
  const error: unknown = await pending.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (error instanceof PlatformError) return error;
  throw new Error(`no PlatformError but ${String(error)}`);
}
