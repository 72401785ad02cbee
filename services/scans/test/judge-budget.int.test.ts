import { unitFinalised } from '@bv/events';
import { eventually } from '@bv/testkit';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { createJudgeBudget, type Reservation } from '../src/worker/judge-budget.ts';
import { planData } from './catalog-stub.ts';
import { awaitJob, type Harness, queueScan, startScans, sumMetric } from './harness.ts';
import { completion, createJudgeAt, setTrouble, startJudgeStub, trackedBrands } from './judge-harness.ts';

let harness: Harness;

beforeAll(async () => {
  harness = await startScans();
});

afterAll(() => harness.stop());

const at = (day: string) => () => new Date(`${day}T12:00:00Z`);

async function findSpent(month: string): Promise<number | undefined> {
  const [row] = await harness.query<{ usd: number }>(
    'select spent_usd::float8 as usd from judge_spending where month = $1',
    [month],
  );
  return row?.usd;
}

describe('the monthly budget', () => {
  const createBudget = (limitUsd: number, day: string) =>
    createJudgeBudget(limitUsd, { pool: harness.sql, log: harness.log, now: at(day) });

  test('holds over concurrent calls of several replicas', async () => {
    const replicas = Array.from({ length: 4 }, () => createBudget(10, '2030-01-15'));
    const calls = replicas.flatMap((budget) => Array.from({ length: 15 }, () => budget.reserve(1)));
    const granted = (await Promise.all(calls)).filter((reservation) => reservation !== null);
    expect(granted).toHaveLength(10);
    expect(await findSpent('2030-01-01')).toBe(10);
  });

  test('gets back what a call cost less than its estimate', async () => {
    const budget = createBudget(10, '2030-02-15');
    const reservation = (await budget.reserve(9)) as Reservation;
    expect(await budget.reserve(2)).toBeNull();
    await reservation.settle(0.000_001);
    expect(await findSpent('2030-02-01')).toBe(0.000_001);
    expect(await budget.reserve(2)).not.toBeNull();
  });

  test('is exceeded only by what calls in flight cost more than their estimates', async () => {
    const budget = createBudget(10, '2030-03-15');
    const reservations = [await budget.reserve(5), await budget.reserve(5)];
    for (const reservation of reservations) await reservation?.settle(6);
    expect(await findSpent('2030-03-01')).toBe(12);
    expect(await budget.reserve(0.000_001)).toBeNull();
  });

  test('counts a call that never ended by its estimate', async () => {
    await createBudget(10, '2030-04-15').reserve(8);
    expect(await createBudget(10, '2030-04-30').reserve(4)).toBeNull();
  });

  test('starts again in the next month; an old call changes its own month', async () => {
    const reservation = await createBudget(10, '2030-05-31').reserve(10);
    expect(await createBudget(10, '2030-06-01').reserve(10)).not.toBeNull();
    await reservation?.settle(4);
    expect([await findSpent('2030-05-01'), await findSpent('2030-06-01')]).toEqual([4, 10]);
  });

  test('refuses a first call above it', async () => {
    expect(await createBudget(10, '2030-07-15').reserve(11)).toBeNull();
    expect(await findSpent('2030-07-01')).toBeUndefined();
  });
});

describe('a call of the LLM judge', () => {
  const text = 'Contoso is good.';
  const usage = { prompt_tokens: 1_000_000, completion_tokens: 0, total_tokens: 1_000_000 };
  const good = completion([{ id: 0, quote: 'good', means_brand: true, sentiment: 90 }], usage);
  /** The estimate is about 0.007 USD, of 1,000 bytes and 500 tokens. */
  const createBudget = (limitUsd: number, day: string) =>
    createJudgeBudget(limitUsd, { pool: harness.sql, log: harness.log, now: at(day) });

  /**
   * Rates a text with a stub that replies so, and returns what the month has cost. The budget is reserved and the request
   * sent within the deadline also on a busy machine.
   */
  async function rateAt(day: string, respond: Parameters<typeof startJudgeStub>[0], limitUsd = 10) {
    const stub = await startJudgeStub(respond);
    const judge = createJudgeAt(stub.url, {
      budget: createBudget(limitUsd, day),
      maxAttempts: 1,
      timeoutMs: 5_000,
    });
    const judgements = await judge.rate(text);
    const overBudget = await judge.count('bv_scans_sentiments_rated_total', { result: 'over_budget' });
    await judge.close();
    await stub.close();
    return {
      judgements,
      overBudget,
      calls: stub.requests.length,
      spent: await findSpent(`${day.slice(0, 7)}-01`),
    };
  }

  test('costs what its usage costs, also if the reply is malformed', async () => {
    expect(await rateAt('2031-01-15', () => good)).toMatchObject({ spent: 1, calls: 1 });
    const malformed = await rateAt('2031-02-15', () => completion('no', usage));
    expect(malformed).toMatchObject({ judgements: null, spent: 1 });
  });

  test('costs nothing if the API rejects it', async () => {
    const rejected = await rateAt('2031-03-15', (_request, response) => {
      response.statusCode = 400;
      return { error: { message: 'no' } };
    });
    expect(rejected).toMatchObject({ judgements: null, calls: 1, spent: 0 });
  });

  test.each<[string, string, Parameters<typeof startJudgeStub>[0]]>([
    ['it states no usage', '2031-04-15', () => completion([{ ...judged, quote: 'good' }])],
    ['its usage is negative', '2031-05-15', () => ({ ...good, usage: { ...usage, prompt_tokens: -5 } })],
    ['it does not end', '2031-06-15', () => undefined],
  ])('counts by its estimate if %s', async (_why, day, respond) => {
    const { spent, calls } = await rateAt(day, respond);
    expect(calls).toBe(1);
    expect(spent).toBeGreaterThan(0.005);
    expect(spent).toBeLessThan(0.02);
  });

  test('that waits for another one reserves nothing', async () => {
    const firstReply = Promise.withResolvers<typeof good>();
    const stub = await startJudgeStub(() => firstReply.promise);
    const created = createJudgeAt(stub.url, { budget: createBudget(10, '2031-08-15'), concurrency: 1 });
    const first = created.rate(text);
    await eventually(() => expect(stub.requests).toHaveLength(1));
    const reserved = await findSpent('2031-08-01');
    const stopping = new AbortController();
    const second = created.judge.rate('Contoso is bad.', trackedBrands, { signal: stopping.signal });
    stopping.abort();
    expect(await second).toBeNull();
    expect(await findSpent('2031-08-01')).toBe(reserved);
    firstReply.resolve(good);
    expect((await first)?.size).toBe(1);
    await Promise.all([created.close(), stub.close()]);
  });

  test('ends at its deadline while the budget cannot be read, and gives back what is reserved later', async () => {
    const { promise, resolve } = Promise.withResolvers<Reservation | null>();
    const settled: number[] = [];
    const stub = await startJudgeStub(() => good);
    const judge = createJudgeAt(stub.url, { budget: { reserve: () => promise }, timeoutMs: 200 });
    expect(await judge.rate(text)).toBeNull();
    resolve({ settle: async (costUsd) => void settled.push(costUsd) });
    await eventually(() => expect(settled).toEqual([0]));
    expect(stub.requests).toEqual([]);
    await Promise.all([judge.close(), stub.close()]);
  });

  test('gives its judgements at the deadline while its cost cannot be stored', async () => {
    const stub = await startJudgeStub(() => good);
    const reservation: Reservation = { settle: () => new Promise(() => undefined) };
    const budget = { reserve: async () => reservation };
    const judge = createJudgeAt(stub.url, { budget, timeoutMs: 3_000 });
    expect((await judge.rate(text))?.size).toBe(1);
    await Promise.all([judge.close(), stub.close()]);
  });

  test('is not made beyond the budget, and is no failure', async () => {
    const { judgements, overBudget, calls } = await rateAt('2031-07-15', () => good, 0.000_1);
    expect([judgements, overBudget, calls]).toEqual([null, 1, 0]);
  });
});

const judged = { id: 0, quote: '', means_brand: true, sentiment: 90 };

test('a scan of two replicas stops at the budget, then the lexicon rates, and the gauge shows it', async () => {
  setTrouble(harness.simulator, null);
  const now = at('2032-01-15');
  // A call has 400 tokens of input: 0.4 USD. Its estimate is about 1 USD.
  const env = {
    SENTIMENT_JUDGE: 'auto',
    SENTIMENT_JUDGE_PRICE_INPUT_PER_MILLION_TOKENS_USD: '1000',
    SENTIMENT_JUDGE_MONTHLY_BUDGET_USD: '4',
  };
  const replicas = await Promise.all([
    harness.startReplica({ env, now }),
    harness.startReplica({ env, now }),
  ]);
  const [first] = replicas;
  if (first === undefined) throw new Error('no replica');
  const before = harness.simulator.state.requests.judge;
  const plan = harness.registerPlan(planData({ prompts: 20, platforms: ['claude', 'gemini'] }));
  const jobId = await queueScan(first, plan);
  expect((await awaitJob(first, plan, jobId)).status).toBe('completed');
  const calls = harness.simulator.state.requests.judge - before;
  const spent = (await findSpent('2032-01-01')) ?? 0;
  expect(calls).toBeGreaterThan(3);
  expect(spent).toBeCloseTo(calls * 0.4, 6);
  expect(spent).toBeLessThanOrEqual(4);
  const all = await harness.listPublished(unitFinalised);
  const methods = all.filter(({ data }) => data.job_id === jobId).map(({ data }) => data.sentiment_method);
  expect(methods.filter((method) => method === 'lexicon').length).toBeGreaterThan(0);
  expect(methods.filter((method) => method === 'llm').length).toBeGreaterThanOrEqual(calls);
  // Both replicas measure the budget at their start and every 10 s.
  await eventually(
    async () => {
      const name = 'bv_scans_sentiment_judge_budget_used_ratio';
      const shares = await Promise.all(replicas.map(({ monitoringUrl }) => sumMetric(monitoringUrl, name)));
      for (const share of shares) expect(share).toBeCloseTo(spent / 4, 4);
    },
    { timeoutMs: 20_000 },
  );
});
