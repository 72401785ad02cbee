import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { parseDataForSeo } from './ai-overviews-dataforseo.ts';
import { parseSerpApi } from './ai-overviews-serpapi.ts';
import { parseChatgpt } from './chatgpt.ts';
import { parseClaude } from './claude.ts';
import { parseGemini } from './gemini.ts';
import { parsePerplexity } from './perplexity.ts';
import { PlatformError, type ParsedAnswer } from './platform.ts';

const parsers: Record<string, (body: unknown) => ParsedAnswer> = {
  chatgpt: parseChatgpt,
  claude: (body) => parseClaude([body]),
  dataforseo: parseDataForSeo,
  gemini: (body) => parseGemini(body),
  perplexity: parsePerplexity,
  serpapi: parseSerpApi,
};

const folder = new URL('../../test/bodies/', import.meta.url);
const bodies = readdirSync(folder).map((file) => ({
  text: readFileSync(new URL(file, folder), 'utf8'),
  parse: parsers[file.slice(0, file.indexOf('-'))],
}));

/** The body with each value whose number is listed replaced: JSON.parse visits all of them in one order. */
function changed(text: string, changes: ReadonlyMap<number, unknown>): unknown {
  let visited = 0;
  return JSON.parse(text, (_key, value: unknown) => {
    const change = changes.get(visited);
    visited += 1;
    return change === undefined ? value : change;
  }) as unknown;
}

const odd = fc.constantFrom<unknown>(
  null,
  -1,
  1e308,
  '',
  'x',
  true,
  [],
  {},
  [[]],
  [null],
  [{}],
  { error: {} },
  '\ud800',
);
const change = fc.tuple(fc.nat({ max: 120 }), odd);

test('a body changed anywhere is an answer or a failure of the platform, never a fault of ours', () => {
  fc.assert(
    fc.property(
      fc.constantFrom(...bodies),
      fc.array(change, { minLength: 1, maxLength: 3 }),
      (body, changes) => {
        try {
          const answer = body.parse?.(changed(body.text, new Map(changes)));
          expect(answer?.outcome).toBe(answer?.answerText === null ? 'no_answer' : 'answered');
        } catch (error) {
          if (!(error instanceof PlatformError)) throw error;
        }
      },
    ),
    { numRuns: 5_000 },
  );
});
