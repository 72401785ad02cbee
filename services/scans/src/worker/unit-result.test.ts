import { expect, test } from '@jest/globals';
import type { PlatformAnswer } from '../platforms/platform.ts';
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
    fence: 1,
    turn: 1,
  },
  job: {
    id: 'j1',
    org_id: 'o1',
    brand_id: 'b1',
    run_date: '2026-11-21',
    status: 'running',
    tracked_brands: [brand],
    traceparent: null,
  },
};
const answer: PlatformAnswer = {
  outcome: 'answered',
  answerText: 'Acme is good and Glo',
  truncated: true,
  sources: [],
  searchQueries: [],
  model: null,
  searchUsed: true,
  localization: 'native',
  costUsd: null,
  latencyMs: 1,
};

test.each([true, false])(
  'an answer that the platform cut off is reported as truncated: %s',
  async (truncated) => {
    const options = { judge: null, signal: new AbortController().signal };
    const result = await buildUnitResult(work, { ...answer, truncated }, options);
    expect(result).toMatchObject({
      answer_truncated: truncated,
      brands: [{ brand_id: 'b1', mentioned: true }],
    });
  },
);
