import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { parseDataForSeo } from './ai-overviews-dataforseo.ts';
import { parseSerpApi } from './ai-overviews-serpapi.ts';
import { parseChatgpt } from './chatgpt.ts';
import { parseClaude } from './claude.ts';
import { parseGemini } from './gemini.ts';
import { parsePerplexity } from './perplexity.ts';
import { parsePerplexityAgent } from './perplexity-agent.ts';
import { PlatformError, type ParsedAnswer } from './platform.ts';

const parsers: Record<string, (body: unknown) => ParsedAnswer> = {
  chatgpt: parseChatgpt,
  claude: (body) => parseClaude([body]),
  dataforseo: parseDataForSeo,
  gemini: (body) => parseGemini(body),
  perplexity: parsePerplexity,
  perplexity_agent: parsePerplexityAgent,
  serpapi: parseSerpApi,
};

const folder = new URL('../../test/bodies/', import.meta.url);
const bodies = readdirSync(folder).map((file) => ({
  text: readFileSync(new URL(file, folder), 'utf8'),
  parse: parsers[file.slice(0, file.indexOf('-'))],
}));

/** Replaces values of the body by their number. JSON.parse visits values in a stable order. */
function replaceValues(text: string, changes: ReadonlyMap<number, unknown>): unknown {
  let visited = 0;
  return JSON.parse(text, (_key, value: unknown) => {
    const change = changes.get(visited);
    visited += 1;
    return change === undefined ? value : change;
  }) as unknown;
}

const oddValue = fc.constantFrom<unknown>(
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
const change = fc.tuple(fc.nat({ max: 120 }), oddValue);

test('a body with any change is an answer or a platform error, never an internal error', () => {
  fc.assert(
    fc.property(
      fc.constantFrom(...bodies),
      fc.array(change, { minLength: 1, maxLength: 3 }),
      (body, changes) => {
        try {
          const answer = body.parse?.(replaceValues(body.text, new Map(changes)));
          expect(answer?.outcome).toBe(answer?.answerText === null ? 'no_answer' : 'answered');
        } catch (error) {
          if (!(error instanceof PlatformError)) throw error;
        }
      },
    ),
    { numRuns: 5_000 },
  );
});
