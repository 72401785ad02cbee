import {
  currentMethodVersion,
  detectionRules,
  formulas,
  getMethodology,
  knownLimits,
  lexiconAccuracy,
  type Methodology,
  methodVersions,
} from '@bv/contract';
import { absenceLanguages, declinedLanguages, lexiconLanguages } from '@bv/extraction';
import { callRpc, RpcUnavailable, marketsRpc, platformDriftRpc } from '@bv/events';
import { type Route, route } from '@bv/http';
import type { Context } from '../context.ts';
import { findWorkerSettings, type WorkerSettings } from '../db/worker-settings.ts';

/** What other services do not answer now is what they answered last. */
export function getMethodologyRoute({ pool, nats, cadence }: Context): Route {
  const readMarkets = rememberLast(() => callRpc(nats, marketsRpc, {}));
  const readDrift = rememberLast(() => callRpc(nats, platformDriftRpc, {}));
  return route(getMethodology, async () => {
    const [markets, drift, settings] = await Promise.all([
      readMarkets(),
      readDrift(),
      findWorkerSettings(pool),
    ]);
    return { data: { ...describeMethod(settings), cadence, markets: markets.toSorted(), drift } };
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

type Method = Omit<Methodology, 'cadence' | 'markets' | 'drift'>;

function describeMethod({ platforms, llm_model: model }: WorkerSettings): Method {
  return {
    method_version: currentMethodVersion,
    formulas: [...formulas],
    detection: {
      rules: [...detectionRules],
      languages: [...absenceLanguages],
      case_ending_languages: [...declinedLanguages].toSorted(),
    },
    sentiment: {
      default_method: model === null ? 'lexicon' : 'llm',
      llm_model: model,
      lexicon_languages: [...lexiconLanguages],
      accuracy: [...lexiconAccuracy],
    },
    platforms,
    known_limits: [...knownLimits],
    versions: [...methodVersions],
  };
}
