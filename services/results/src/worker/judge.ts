import { setTimeout as sleep } from 'node:timers/promises';
import {
  callRpc,
  judgeAnswerRpc,
  type Nats,
  type RpcReply,
  type RpcRequest,
  RpcUnavailable,
} from '@bv/events';
import type { Judgement } from '@bv/extraction';
import { backoffMs } from '@bv/resilience';
import type { BrandVersions } from './identity.ts';

/** The brands of an answer that need a judgement. */
export type Unjudged = { unitId: string; answerText: string; brandIds: string[] };
export type JudgementsByUnit = Map<string, ReadonlyMap<string, Judgement>>;

const maxConcurrentCalls = 4;
/** Other jobs may take every place for a page of theirs. A day has 30 minutes before an alert. */
const maxBusyMs = 10 * 60_000;
const maxFailures = 5;
const askAgain = { baseMs: 250, maxMs: 2_000, jitter: 0.5 };

/**
 * Requests judgements from scans, whose LLM judge has a budget, a cache and a circuit breaker. A unit without one
 * is missing from the reply: its words decide. After a call without a reply no further one begins.
 */
export async function requestJudgements(
  nats: Nats,
  { brandId, versions }: { brandId: string; versions: BrandVersions },
  units: readonly Unjudged[],
  signal: AbortSignal,
): Promise<JudgementsByUnit> {
  const judgements: JudgementsByUnit = new Map();
  let isAvailable = true;
  const queue = units.values();
  const work = async (): Promise<void> => {
    for (const { unitId, answerText, brandIds } of queue) {
      if (!isAvailable || signal.aborted) return;
      try {
        const request = {
          brand_id: brandId,
          answer_text: answerText,
          brand_ids: brandIds,
          // Scans may not have the change that the job is for.
          versions: [...new Set([brandId, ...brandIds])].flatMap((id) => {
            const version = versions.get(id);
            return version === undefined ? [] : { brand_id: id, version };
          }),
        };
        const reply = await requestJudgement(nats, request, signal);
        judgements.set(
          unitId,
          new Map(
            (reply ?? []).map(({ brand_id, sentiment, means_brand }) => [
              brand_id,
              { sentiment, meansBrand: means_brand },
            ]),
          ),
        );
      } catch (error) {
        if (!(error instanceof RpcUnavailable)) throw error;
        isAvailable = false;
      }
    }
  };
  const workers = Promise.all(Array.from({ length: maxConcurrentCalls }, work));
  await orAbort(workers, signal);
  return judgements;
}

/** Asks again where a replica of scans has no place or fails, as one that stops does: another one may reply. */
async function requestJudgement(
  nats: Nats,
  request: RpcRequest<typeof judgeAnswerRpc>,
  signal: AbortSignal,
): Promise<RpcReply<typeof judgeAnswerRpc>> {
  const giveUpAt = performance.now() + maxBusyMs;
  let failures = 0;
  for (let retry = 0; ; retry += 1) {
    try {
      return await callRpc(nats, judgeAnswerRpc, request);
    } catch (error) {
      const reason = error instanceof RpcUnavailable ? error.reason : undefined;
      if (reason === 'failed') failures += 1;
      const mayPass = reason === 'busy' || (reason === 'failed' && failures < maxFailures);
      if (!mayPass || performance.now() >= giveUpAt) throw error;
    }
    await sleep(backoffMs(askAgain, retry), undefined, { signal });
  }
}

/** Rejects at once if the signal aborts: a call in flight takes longer than a stop may. */
export function orAbort<T>(pending: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const abort = (): void => reject(signal.reason);
    if (signal.aborted) abort();
    signal.addEventListener('abort', abort, { once: true });
    void pending.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort));
  });
}
