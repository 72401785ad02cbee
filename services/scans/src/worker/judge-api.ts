import { Semaphore } from 'async-mutex';
import { costUsd } from '../platforms/adapter.ts';
import { PlatformError } from '../platforms/platform.ts';
import { toErrorType } from '../platforms/gen-ai.ts';
import { createPlatformHttp } from '../platforms/platform-http.ts';
import type { ScanMetrics } from '../telemetry.ts';
import type { JudgeBudget } from './judge-budget.ts';
import type { JudgeConfig } from './judge-config.ts';
import { type JudgeRequest, readServedModel, readUsage } from './judge-request.ts';

/** `brands`: for each the reply has a judgement. */
type Call = Pick<JudgeRequest, 'body'> & { brands: readonly unknown[] };

export type JudgeApi = {
  /** One call within concurrency and budget. Returns the body; throws `BudgetSpent`, or as `PlatformHttp` does. */
  call(request: Call, signal: AbortSignal): Promise<unknown>;
  close(): Promise<void>;
};

export class BudgetSpent extends Error {
  override readonly name = 'BudgetSpent';
}

/** `budget` null: no maximum. */
type Deps = { metrics: ScanMetrics; budget: JudgeBudget | null };

const maxResponseBytes = 1_000_000;
const noUsage = { inputTokens: 0, outputTokens: 0 };

export function createJudgeApi(config: JudgeConfig, { metrics, budget }: Deps): JudgeApi {
  const { url, provider, apiKey, model, prices, timeoutMs, concurrency } = config;
  const http = createPlatformHttp({ timeoutMs, maxResponseBytes });
  const slots = new Semaphore(concurrency);
  const headers = apiKey === '' ? {} : { authorization: `Bearer ${apiKey}` };

  const call = { platform: 'judge', operation: 'chat', provider, model, url } as const;
  const post = ({ body }: Call, signal: AbortSignal): Promise<unknown> =>
    metrics.genAi.observe(call, () => http.json({ method: 'POST', url, headers, body, signal }), {
      reply: (reply) => ({ ...(readUsage(reply) ?? noUsage), model: readServedModel(reply) }),
      errorType: (error) => toErrorType(error, signal, 'unavailable'),
    });

  /** A call whose cost stays unknown, such as one without a response, counts as estimated. */
  const callWithinBudget = async (request: Call, signal: AbortSignal): Promise<unknown> => {
    const reserved = budget?.reserve(estimateUsd(config, request));
    const reservation = await unlessAborted(reserved, signal, (granted) => granted?.settle(0));
    if (reservation === null) throw new BudgetSpent();
    let cost: number | null = null;
    try {
      const body = await post(request, signal);
      const usage = readUsage(body);
      if (usage !== null) {
        cost = costUsd(prices, usage);
        metrics.judgeUsed(usage, cost);
      }
      return body;
    } catch (error) {
      if (isFree(error)) cost = 0;
      throw error;
    } finally {
      // The settlement continues, but a database that hangs must not hold the judgements beyond the deadline.
      if (cost !== null) await unlessAborted(reservation?.settle(cost), signal).catch(() => undefined);
    }
  };

  return {
    call: async (request, signal) => {
      // The reservation comes after the wait: a call that does not start must not use up the budget.
      const [, release] = await unlessAborted(slots.acquire(), signal, ([, giveBack]) => giveBack());
      try {
        return await callWithinBudget(request, signal);
      } finally {
        release();
      }
    },
    close: () => http.close(),
  };
}

/** Waits for a promise until the signal aborts. What it fulfils with after that is passed to `giveBack`. */
async function unlessAborted<T>(
  promise: Promise<T> | T,
  signal: AbortSignal,
  giveBack?: (value: T) => unknown,
): Promise<T> {
  const { promise: aborted, reject } = Promise.withResolvers<never>();
  const abort = (): void => reject(signal.reason as Error);
  signal.addEventListener('abort', abort, { once: true });
  if (signal.aborted) abort();
  try {
    return await Promise.race([aborted, promise]);
  } catch (error) {
    if (signal.aborted) void Promise.resolve(promise).then(giveBack, () => undefined);
    throw error;
  } finally {
    signal.removeEventListener('abort', abort);
  }
}

/** An API charges nothing for an error status or without a connection. */
function isFree(error: unknown): boolean {
  if (error instanceof PlatformError) return error.status !== null && error.status >= 300;
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  return code === 'ECONNREFUSED' || code === 'ENOTFOUND' || code === 'EAI_AGAIN';
}

/** Tokens of a judgement with its quote, and of a model's thoughts. */
const tokensPerJudgement = 80;
const thoughtTokens = 500;
/** In UTF-8: about four for English, three for a character of Chinese, which is about one token. */
const bytesPerToken = 3;

function estimateUsd({ prices }: JudgeConfig, { body, brands }: Call): number {
  const inputTokens = Math.ceil(Buffer.byteLength(JSON.stringify(body)) / bytesPerToken);
  const outputTokens = thoughtTokens + tokensPerJudgement * brands.length;
  return costUsd(prices, { inputTokens, outputTokens, searches: 0, requests: 1 }) ?? 0;
}
