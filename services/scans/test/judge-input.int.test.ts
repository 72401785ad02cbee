/** What an API of an LLM judge gets from answers, and what its replies may do. */
import { setTimeout as sleep } from 'node:timers/promises';
import { createMetrics } from '@bv/telemetry';
import { afterEach, describe, expect, test } from '@jest/globals';
import type { PlatformAnswer } from '../src/platforms/platform.ts';
import { scanMetrics } from '../src/telemetry.ts';
import type { Work } from '../src/worker/lease-work.ts';
import { buildUnitResult } from '../src/worker/unit-result.ts';
import {
  completion,
  createJudgeAt,
  type JudgeOptions,
  startJudgeStub,
  trackedBrands,
} from './judge-harness.ts';

type Respond = Parameters<typeof startJudgeStub>[0];

const cleanups: (() => Promise<unknown>)[] = [];

afterEach(async () => {
  await Promise.all(cleanups.splice(0).map((cleanup) => cleanup()));
});

async function start(respond: Respond, options: JudgeOptions = {}) {
  const stub = await startJudgeStub(respond);
  const judge = createJudgeAt(stub.url, options);
  cleanups.push(judge.close, stub.close);
  return { ...judge, requests: stub.requests };
}

const work: Work = {
  unit: {
    id: 'u1',
    job_id: 'j1',
    prompt_id: 'p1',
    prompt_text: 'Which is good?',
    platform: 'claude',
    country: 'DE',
    attempts: 1,
    fencing_token: 1,
    virtual_time: 1,
  },
  job: {
    id: 'j1',
    org_id: 'o1',
    brand_id: 'Contoso',
    run_date: '2026-11-21',
    status: 'running',
    traceparent: null,
  },
};
const answer: Omit<PlatformAnswer, 'answerText'> = {
  outcome: 'answered',
  truncated: false,
  sources: [],
  sourcesUnresolved: 0,
  searchQueries: [],
  model: null,
  searchUsed: true,
  localization: 'native',
  usage: { inputTokens: 0, outputTokens: 0, searches: 1, requests: 1 },
  costUsd: null,
  latencyMs: 1,
};

/** Rates every brand with its first passage as the quote. */
const agreeable: Respond = ({ brands }) =>
  completion(
    brands.map(({ id, passages }) => ({
      id,
      quote: passages[0]?.text ?? '',
      means_brand: true,
      sentiment: 55,
    })),
  );

describe('an answer reaches the LLM judge as data only:', () => {
  test('megabytes of it are cut to the passages', async () => {
    const { judge, requests } = await start(agreeable);
    const padding = 'Nothing to see here, move on. '.repeat(100);
    const answerText = `${padding} Contoso is good. ${padding.repeat(1_000)} Fabrikam is good.`;
    const { brands, answer_truncated: isTruncated } = await buildUnitResult(
      work,
      { ...answer, answerText },
      {
        brands: trackedBrands,
        judge,
        metrics: scanMetrics(createMetrics('scans')),
        signal: new AbortController().signal,
      },
    );
    expect(answerText.length).toBeGreaterThan(2_000_000);
    expect(isTruncated).toBe(true);
    expect(brands.map(({ sentiment }) => sentiment)).toEqual([55, null, null]);
    expect(requests[0]?.bytes).toBeLessThan(10_000);
  });

  test('within the limit of concurrent calls', async () => {
    let inFlight = 0;
    let maxInFlight = 0;
    const { rate } = await start(async (request, response) => {
      maxInFlight = Math.max(maxInFlight, (inFlight += 1));
      await sleep(50);
      inFlight -= 1;
      return agreeable(request, response);
    });
    const texts = Array.from({ length: 6 }, (_, index) => `Contoso is good in case ${index}.`);
    const results = await Promise.all(texts.map((text) => rate(text)));
    expect(results.map((judgements) => judgements?.get(0)?.sentiment)).toEqual([55, 55, 55, 55, 55, 55]);
    expect(maxInFlight).toBe(2);
  });
});

describe('a reply', () => {
  const text = 'Contoso is awful. Fabrikam is great. Northwind exists.';
  test('of megabytes is not read to its end', async () => {
    const { rate, requests } = await start((_request, response) => {
      response.write('{"choices":[{"message":{"content":"');
      const chunk = 'x'.repeat(1_000_000);
      const send = (): void => {
        if (!response.destroyed && response.write(chunk)) setImmediate(send);
        else response.once('drain', send);
      };
      send();
    });
    expect(await rate(text)).toBeNull();
    expect(requests).toHaveLength(1);
  });

  test('that comes one byte at a time ends at the deadline', async () => {
    const { rate } = await start(
      (_request, response) => {
        const timer = setInterval(() => response.write(' '), 20);
        response.once('close', () => clearInterval(timer));
      },
      { timeoutMs: 300 },
    );
    const startedAt = performance.now();
    expect(await rate(text)).toBeNull();
    expect(performance.now() - startedAt).toBeLessThan(3_000);
  });

  test('without a usage is used, but its cost is unknown', async () => {
    const { rate, count } = await start(agreeable);
    expect((await rate(text))?.size).toBe(3);
    expect(await count('bv_scans_sentiment_judge_cost_usd_total')).toBe(0);
  });
});

test('judgements are kept up to 8 MB, without the least recently used', async () => {
  // Spaces do not change what is quoted.
  const quote = `Contoso${' '.repeat(100_000)}`;
  const { rate, requests } = await start(() =>
    completion([{ id: 0, quote, means_brand: true, sentiment: 55 }]),
  );
  const rateText = (number: number) => rate(`Contoso is number ${number}.`);
  const fitting = 39;
  for (let number = 0; number < fitting; number += 1) await rateText(number);
  await rateText(0);
  expect(requests).toHaveLength(fitting);
  await rateText(fitting);
  await rateText(0);
  expect(requests).toHaveLength(fitting + 1);
  await rateText(1);
  expect(requests).toHaveLength(fitting + 2);
});

test('refusals of texts do not open the circuit breaker', async () => {
  let isRefusing = true;
  const { rate, count, requests } = await start(
    (request, response) => {
      if (!isRefusing) return agreeable(request, response);
      if (requests.length % 2 === 0)
        return { choices: [{ finish_reason: 'content_filter', message: { content: null } }] };
      response.statusCode = 400;
      return { error: { code: 'content_filter', message: 'The prompt was filtered.' } };
    },
    { maxAttempts: 3 },
  );
  for (let unit = 0; unit < 8; unit += 1) expect(await rate(`Contoso is good in case ${unit}.`)).toBeNull();
  // A refused text is refused again: it is not retried.
  expect(requests).toHaveLength(8);
  isRefusing = false;
  expect((await rate('Contoso is good.'))?.size).toBe(1);
  expect(await count('bv_scans_sentiments_rated_total', { result: 'skipped' })).toBe(0);
});

test('an unreachable LLM judge gives no rating', async () => {
  const { close, url } = await startJudgeStub(agreeable);
  await close();
  const judge = createJudgeAt(url);
  cleanups.push(judge.close);
  expect(await judge.rate('Contoso is good.')).toBeNull();
  expect(await judge.count('bv_scans_sentiment_judge_errors_total', { kind: 'unavailable' })).toBe(3);
});
