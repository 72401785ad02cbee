import {
  findAllowanceRpc,
  findAnswerPricesRpc,
  judgeAnswerRpc,
  judgeNamesRpc,
  listAnswersRpc,
  type Nats,
  type RpcReply,
  type RpcRequest,
  type RpcServer,
  serveRpc,
} from '@bv/events';
import type { Pool, Queryable } from '@bv/postgres';
import type { Logger } from '@bv/telemetry';
import { listAnswers } from '../db/answer-months.ts';
import { findAllowance } from '../db/allowances.ts';
import { findWorkerSettings } from '../db/worker-settings.ts';
import { currentAllowance } from '../domain/charge.ts';
import { monthEnd, toUtcMonth } from '../domain/calendar.ts';
import type { SentimentJudge } from '../worker/sentiment-judge.ts';
import type { TrackedBrands } from '../worker/tracked-brands.ts';

type Deps = {
  pool: Pool;
  nats: Nats;
  log: Logger;
  judge: SentimentJudge | null;
  trackedBrands: TrackedBrands;
  now: () => Date;
  /** Aborted when the process begins to stop. */
  signal: AbortSignal;
};

/** Judgements for other services at once. They share the concurrency and the budget of the LLM judge with scans. */
const maxJudgements = 4;
/** The reply is sent before the caller stops waiting. */
const maxJudgingMs = judgeAnswerRpc.timeoutMs - 2_000;

/** Serves allowances and prices on every replica, and judgements on those with an LLM judge. */
export function serveRpcs(deps: Deps): RpcServer {
  const { pool, nats, log, judge, now } = deps;
  const options = { queue: 'scans', log };
  const servers = [
    serveRpc(nats, findAllowanceRpc, ({ org_id: orgId }) => getAllowance(pool, orgId, now()), options),
    serveRpc(
      nats,
      listAnswersRpc,
      ({ month, org_ids: orgIds }) => listAnswers(pool, `${month}-01`, orgIds),
      options,
    ),
    serveRpc(nats, findAnswerPricesRpc, async () => (await findWorkerSettings(pool)).prices, options),
    ...(judge === null ? [] : serveJudge({ ...deps, judge })),
  ];
  return {
    stop: async () => {
      await Promise.all(servers.map((server) => server.stop()));
    },
  };
}

type JudgeDeps = Deps & { judge: SentimentJudge };

/** A replica without an LLM judge subscribes to no judgements, so that one with it replies. */
function serveJudge(deps: JudgeDeps): RpcServer[] {
  const { nats, log, judge, signal } = deps;
  const options = { queue: 'scans', log, maxInFlight: maxJudgements };
  const servers = [
    serveRpc(nats, judgeAnswerRpc, (request) => orFail(judgeAnswer(deps, request), signal), options),
    serveRpc(
      nats,
      judgeNamesRpc,
      ({ names }) => orFail(judge.judgeNames(names, deadline(deps)), signal),
      options,
    ),
  ];
  // At once, not after the drain: a replica that stops ends its calls.
  const stop = (): void => {
    for (const server of servers)
      server.stop().catch((error: unknown) => log.warn({ err: error }, 'the LLM judge is still offered'));
  };
  signal.addEventListener('abort', stop, { once: true });
  return servers;
}

/** Null is final for a caller. One whose call the stop ends can ask again. */
async function orFail<T>(judgements: Promise<T | null>, stopping: AbortSignal): Promise<T | null> {
  const judged = await judgements;
  if (judged === null) stopping.throwIfAborted();
  return judged;
}

async function getAllowance(
  db: Queryable,
  orgId: string,
  now: Date,
): Promise<RpcReply<typeof findAllowanceRpc>> {
  const month = toUtcMonth(now);
  const row = await findAllowance(db, orgId);
  const { used, credits } = currentAllowance(row, month);
  const [answers = { units: 0, cost_usd: 0 }] = await listAnswers(db, month, [orgId]);
  return {
    used,
    resets_at: monthEnd(row !== undefined && row.month > month ? row.month : month),
    scan_credits: credits,
    answers: { month: month.slice(0, 7), units: answers.units, cost_usd: answers.cost_usd },
  };
}

const deadline = ({ signal }: Deps): AbortSignal =>
  AbortSignal.any([signal, AbortSignal.timeout(maxJudgingMs)]);

async function judgeAnswer(
  deps: JudgeDeps,
  { brand_id: ownId, answer_text: answerText, brand_ids: ids, versions }: RpcRequest<typeof judgeAnswerRpc>,
): Promise<RpcReply<typeof judgeAnswerRpc>> {
  const { judge, trackedBrands } = deps;
  const signal = deadline(deps);
  const known = new Map(versions.map(({ brand_id, version }) => [brand_id, version]));
  const brands = await trackedBrands.list(ownId, async () => [], known);
  // Found among all tracked brands, so that the passages are those of the scan.
  const only = new Set(brands.flatMap(({ id }, index) => (ids.includes(id) ? index : [])));
  const judgements = await judge.rate(answerText, brands, { signal, only });
  if (judgements === null) return null;
  return [...judgements].flatMap(([index, { sentiment, meansBrand }]) => {
    const brand = brands[index];
    return brand === undefined ? [] : { brand_id: brand.id, sentiment, means_brand: meansBrand };
  });
}
