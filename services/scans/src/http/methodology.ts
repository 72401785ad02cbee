import {
  currentMethodVersion,
  detectionRules,
  formulas,
  getMethodology,
  knownLimits,
  lexiconAccuracy,
  type Methodology,
  methodVersions,
  platformIds,
  platformSurfaces,
} from '@bv/contract';
import { absenceLanguages, declinedLanguages, lexiconLanguages } from '@bv/extraction';
import { callRpc, RpcUnavailable, marketsRpc, platformDriftRpc } from '@bv/events';
import { type Route, route } from '@bv/http';
import type { Config } from '../config.ts';
import type { Context } from '../context.ts';
import { requestTraits } from '../platforms/create-adapters.ts';
import { platformConfigs } from '../platforms/platform-config.ts';
import { toJudgeConfig } from '../worker/judge-config.ts';

/** What other services do not answer now is what they answered last. */
export function getMethodologyRoute({ nats, methodology }: Context): Route {
  const readMarkets = rememberLast(() => callRpc(nats, marketsRpc, {}));
  const readDrift = rememberLast(() => callRpc(nats, platformDriftRpc, {}));
  return route(getMethodology, async () => {
    const [markets, drift] = await Promise.all([readMarkets(), readDrift()]);
    return { data: { ...methodology, markets: markets.toSorted(), drift } };
  });
}

function rememberLast<T>(read: () => Promise<T>): () => Promise<T> {
  let last: { value: T } | null = null;
  return async () => {
    try {
      last = { value: await read() };
    } catch (error) {
      if (last === null || !(error instanceof RpcUnavailable)) throw error;
    }
    return last.value;
  };
}

/** The methodology with the settings of a configuration. Takes single fields, so that no key or address is in it. */
export function describeMethodology(config: Config): Omit<Methodology, 'markets' | 'drift'> {
  const configs = platformConfigs(config);
  const judge = toJudgeConfig(config, configs);
  return {
    method_version: currentMethodVersion,
    formulas: [...formulas],
    detection: {
      rules: [...detectionRules],
      languages: [...absenceLanguages],
      case_ending_languages: [...declinedLanguages].toSorted(),
    },
    sentiment: {
      default_method: judge === null ? 'lexicon' : 'llm',
      llm_model: judge?.model ?? null,
      lexicon_languages: [...lexiconLanguages],
      accuracy: [...lexiconAccuracy],
    },
    platforms: platformIds
      .filter((platform) => configs[platform].apiKey !== null)
      .map((platform) => ({
        platform,
        surface: platformSurfaces[platform],
        model: configs[platform].model || null,
        provider: configs[platform].provider ?? null,
        ...requestTraits(platform, configs[platform]),
      })),
    cadence: { per_day: config.SCHEDULE_INTERVAL_MS > 0 ? 1 : 0, samples_per_unit: 1 },
    known_limits: [...knownLimits],
    versions: [...methodVersions],
  };
}
