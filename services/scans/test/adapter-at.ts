import { platformIds, type PlatformId } from '@bv/contract';
import { createGenAi, createMetrics, type GenAi } from '@bv/telemetry';
import type { PlatformConfig } from '../src/platforms/adapter.ts';
import { createAdapters } from '../src/platforms/create-adapters.ts';
import type { PlatformHttp } from '../src/platforms/platform-http.ts';
import { PlatformError, type PlatformAdapter, type PlatformAnswer } from '../src/platforms/platform.ts';

export type AdapterName = PlatformId | 'dataforseo';

const prefixes: Record<AdapterName, string> = {
  chatgpt: '/openai',
  perplexity: '/perplexity',
  gemini: '/gemini',
  claude: '/anthropic',
  ai_overviews: '/serpapi',
  dataforseo: '/dataforseo',
};
export const adapterNames: readonly AdapterName[] = [...platformIds, 'dataforseo'];
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
    model: `model-${each}`,
    ...overrides,
  });
  const adapters = createAdapters(
    {
      chatgpt: config('chatgpt'),
      perplexity: config('perplexity'),
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
  return adapterName === 'dataforseo' ? 'ai_overviews' : adapterName;
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
