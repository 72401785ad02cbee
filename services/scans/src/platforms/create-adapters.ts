import type { MeasuredPlatform, PlatformId } from '@bv/contract';
import type { GenAi } from '@bv/telemetry';
import { createDataForSeoAdapter } from './ai-overviews-dataforseo.ts';
import { createSerpApiAdapter } from './ai-overviews-serpapi.ts';
import type { PlatformConfig } from './adapter.ts';
import { createChatgptAdapter } from './chatgpt.ts';
import { createClaudeAdapter } from './claude.ts';
import { observeAdapter } from './gen-ai.ts';
import { createGeminiAdapter } from './gemini.ts';
import { createPerplexityAdapter } from './perplexity.ts';
import { createPerplexityAgentAdapter } from './perplexity-agent.ts';
import type { PlatformAdapter } from './platform.ts';
import type { PlatformHttp } from './platform-http.ts';

/** Default URLs of the services. */
export const defaultBaseUrls = {
  chatgpt: 'https://api.openai.com',
  perplexity: 'https://api.perplexity.ai',
  gemini: 'https://generativelanguage.googleapis.com',
  claude: 'https://api.anthropic.com',
  serpapi: 'https://serpapi.com',
  dataforseo: 'https://api.dataforseo.com',
} as const;

export type PlatformConfigs = Record<PlatformId, PlatformConfig>;

type RequestTraits = Pick<MeasuredPlatform, 'search' | 'localization'>;

const traits: Readonly<Record<PlatformId, RequestTraits>> = {
  chatgpt: { search: 'forced', localization: 'native' },
  // Chat completions search by default, but no parameter forces it.
  perplexity: { search: 'automatic', localization: 'native' },
  // An instruction asks for a search.
  gemini: { search: 'automatic', localization: 'prompt' },
  claude: { search: 'forced', localization: 'native' },
  ai_overviews: { search: 'forced', localization: 'native' },
};

/** Whether the requests of an adapter make the platform search, and how they pass the market first. */
export function requestTraits(platform: PlatformId, { api }: Pick<PlatformConfig, 'api'>): RequestTraits {
  return api === 'agent' ? { ...traits[platform], search: 'forced' } : traits[platform];
}

/** One adapter for each platform. Without a key it throws `unconfigured` for every prompt. */
export function createAdapters(
  configs: PlatformConfigs,
  http: PlatformHttp,
  genAi: GenAi,
): Record<PlatformId, PlatformAdapter> {
  const create = (
    platform: PlatformId,
    createAdapter: (config: PlatformConfig, http: PlatformHttp) => PlatformAdapter,
  ): PlatformAdapter => {
    const config = configs[platform];
    return observeAdapter(createAdapter(config, http), config, genAi);
  };
  return {
    chatgpt: create('chatgpt', createChatgptAdapter),
    perplexity: create(
      'perplexity',
      configs.perplexity.api === 'agent' ? createPerplexityAgentAdapter : createPerplexityAdapter,
    ),
    gemini: create('gemini', createGeminiAdapter),
    claude: create('claude', createClaudeAdapter),
    ai_overviews: create(
      'ai_overviews',
      configs.ai_overviews.provider === 'dataforseo' ? createDataForSeoAdapter : createSerpApiAdapter,
    ),
  };
}
