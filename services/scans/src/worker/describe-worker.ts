import { platformIds, platformSurfaces } from '@bv/contract';
import type { Config } from '../config.ts';
import type { WorkerSettings } from '../db/worker-settings.ts';
import { requestTraits } from '../platforms/create-adapters.ts';
import { answerPrices, platformConfigs } from '../platforms/platform-config.ts';
import { toJudgeConfig } from './judge-config.ts';

/** Takes single fields of the configuration, so that no key or address is stored. */
export function describeWorker(config: Config): WorkerSettings {
  const configs = platformConfigs(config);
  return {
    platforms: platformIds
      .filter((platform) => configs[platform].apiKey !== null)
      .map((platform) => ({
        platform,
        surface: platformSurfaces[platform],
        model: configs[platform].model || null,
        provider: configs[platform].provider ?? null,
        ...requestTraits(platform, configs[platform]),
      })),
    llm_model: toJudgeConfig(config, configs)?.model ?? null,
    prices: answerPrices(config),
  };
}
