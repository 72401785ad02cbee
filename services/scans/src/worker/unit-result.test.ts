import { randomUUID } from 'node:crypto';
import { currentMethodVersion } from '@bv/contract';
import { createMetrics } from '@bv/telemetry';
import { describe, expect, test } from '@jest/globals';
import type { TrackedBrand } from '@bv/extraction';
import type { PlatformAnswer } from '../platforms/platform.ts';
import { scanMetrics } from '../telemetry.ts';
import type { QuotedJudgement } from './judge-request.ts';
import type { Work } from './lease-work.ts';
import { buildUnitResult } from './unit-result.ts';

const brand = { id: 'b1', name: 'Acme', domain: 'acme.com', aliases: [], isOwn: true };
const work: Work = {
  unit: {
    id: 'u1',
    job_id: 'j1',
    prompt_id: 'p1',
    prompt_text: 'Which kettle?',
    platform: 'gemini',
    country: 'DE',
    attempts: 1,
    fencing_token: 1,
    virtual_time: 1,
  },
  job: {
    id: 'j1',
    org_id: 'o1',
    brand_id: 'b1',
    run_date: '2026-11-21',
    status: 'running',
    traceparent: null,
  },
};
const answer: PlatformAnswer = {
  outcome: 'answered',
  answerText: 'Acme is good and Glo',
  truncated: true,
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

const { signal } = new AbortController();

test.each([true, false])(
  'an answer that the platform cut off is reported as truncated: %s',
  async (truncated) => {
    const options = { brands: [brand], judge: null, metrics: scanMetrics(createMetrics('scans')), signal };
    const result = await buildUnitResult(work, { ...answer, truncated }, options);
    expect(result).toMatchObject({
      answer_truncated: truncated,
      method_version: currentMethodVersion,
      brands: [{ brand_id: 'b1', mentioned: true }],
    });
  },
);

describe('the method of the sentiments', () => {
  const names = ['Acme', 'Globex', 'Initech'];
  const brands = names.map((name): TrackedBrand => ({ ...brand, id: name, name, domain: `${name}.example` }));
  const text = 'Acme is excellent. Globex is terrible.';
  const judged = (sentiment: number): QuotedJudgement => ({ sentiment, quote: text, meansBrand: true });

  /** The result for judgements by the index of the brand; null: the LLM judge failed. */
  async function build(judgements: ReadonlyMap<number, QuotedJudgement> | null, answerText = text) {
    const metrics = createMetrics('scans');
    const judge = { rate: async () => judgements };
    const options = { brands, judge, metrics: scanMetrics(metrics), signal };
    const result = await buildUnitResult(work, { ...answer, answerText }, options);
    const counted = await metrics.registry.getMetricsAsJSON();
    const counter = counted.find(({ name }) => name === 'bv_scans_brand_sentiments_total');
    const count = (method: string): number =>
      counter?.values.find(({ labels }) => labels['method'] === method)?.value ?? 0;
    return {
      method: result.sentiment_method,
      sentiments: result.brands.map(({ sentiment }) => sentiment),
      counts: { llm: count('llm'), lexicon: count('lexicon') },
    };
  }

  test('is llm if the LLM judge rated every mentioned brand', async () => {
    const ratings = new Map([
      [0, judged(90)],
      [1, judged(5)],
    ]);
    expect(await build(ratings)).toEqual({
      method: 'llm',
      sentiments: [90, 5, null],
      counts: { llm: 2, lexicon: 0 },
    });
  });

  test('is lexicon if the lexicon rated any: the other keeps its rating', async () => {
    const { method, sentiments, counts } = await build(new Map([[0, judged(91)]]));
    expect(method).toBe('lexicon');
    expect(sentiments[0]).toBe(91);
    expect(sentiments[1]).toBeLessThan(50);
    expect(counts).toEqual({ llm: 1, lexicon: 1 });
  });

  test('is lexicon if the LLM judge failed', async () => {
    expect(await build(null)).toMatchObject({ method: 'lexicon', counts: { llm: 0, lexicon: 2 } });
  });

  test('is null if no brand is mentioned, whatever the LLM judge returns', async () => {
    expect(await build(new Map([[0, judged(90)]]), 'Nothing is named.')).toEqual({
      method: null,
      sentiments: [null, null, null],
      counts: { llm: 0, lexicon: 0 },
    });
  });
});

describe('a brand to verify', () => {
  const brands: TrackedBrand[] = [
    { ...brand, match: { caseSensitive: false, exclude: [], verify: true } },
    { ...brand, id: 'b2', name: 'Globex', domain: 'globex.example', isOwn: false },
  ];

  async function build(meansBrand: boolean | null) {
    const metrics = createMetrics('scans');
    const judgements = new Map(
      meansBrand === null ? [] : [[0, { sentiment: 90, quote: 'Acme', meansBrand }]],
    );
    const judge = { rate: async () => judgements };
    const options = { brands, judge, metrics: scanMetrics(metrics), signal };
    const text = { ...answer, answerText: 'Acme is excellent. Globex is terrible.' };
    const result = await buildUnitResult(work, text, options);
    const counted = await metrics.registry.getMetricsAsJSON();
    const counter = counted.find(({ name }) => name === 'bv_scans_mentions_verified_total');
    return {
      method: result.mention_method,
      brands: result.brands.map(({ mentioned, position, means_brand }) => [mentioned, position, means_brand]),
      counts: Object.fromEntries(counter?.values.map(({ labels, value }) => [labels['result'], value]) ?? []),
    };
  }

  test.each([
    [true, 'words+llm', [true, 1, true], 2, { confirmed: 1, denied: 0, words: 0 }],
    [false, 'words+llm', [false, null, false], 1, { confirmed: 0, denied: 1, words: 0 }],
    [null, 'words', [true, 1, null], 2, { confirmed: 0, denied: 0, words: 1 }],
  ])('with means_brand %s', async (meansBrand, method, own, otherPosition, counts) => {
    expect(await build(meansBrand)).toEqual({
      method,
      brands: [own, [true, otherPosition, null]],
      counts,
    });
  });
});

test('the event of the largest answer about 251 brands with the longest names fits into a message', async () => {
  const brands = Array.from({ length: 251 }, (_, index): TrackedBrand => ({
    ...brand,
    id: randomUUID(),
    name: `B${String(index).padStart(3, '0')}\u{10400}${'\u{1F600}'.repeat(195)}`,
    domain: `${'a'.repeat(60)}.${'b'.repeat(60)}.${'c'.repeat(60)}.${'d'.repeat(50)}.${index}.example`,
    aliases: [`Brand${index}x`],
  }));
  const answerText = brands.map(({ aliases }) => `${aliases.join()} is good. `.repeat(3)).join('');
  const largest: PlatformAnswer = {
    ...answer,
    // A control character has six bytes in JSON.
    answerText: answerText.padEnd(100_000, '\u0001'),
    searchQueries: Array.from({ length: 100 }, () => '\u0001'.repeat(1_000)),
    sources: Array.from({ length: 1_000 }, (_, index) => ({
      position: index + 1,
      url: `https://x.com/${'a'.repeat(2_030)}`,
      domain: 'x.com',
      title: '\u0001'.repeat(1_000),
      cited: true,
    })),
  };
  const options = { brands, judge: null, metrics: scanMetrics(createMetrics('scans')), signal };
  const ids = { id: randomUUID(), job_id: randomUUID(), prompt_id: randomUUID() };
  const unit = { ...work.unit, ...ids };
  const result = await buildUnitResult({ ...work, unit }, largest, options);
  expect(result.brands.filter(({ evidence }) => evidence?.length === 3)).toHaveLength(251);
  expect(Buffer.byteLength(JSON.stringify(result))).toBeLessThan(990_000);
});
