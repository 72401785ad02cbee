import { afterAll, expect, test } from '@jest/globals';
import { createLogger } from '@bv/telemetry';
import type { AnswerRow } from '../db/stored-answers.ts';
import { createReader } from './reader.ts';

const reader = createReader(createLogger({ service: 'test', level: 'silent' }));
afterAll(() => reader.close());

const acme = { id: 'acme', name: 'Acme', domain: 'acme.example', aliases: [], isOwn: true };
const answer = (overrides: Partial<AnswerRow> = {}): AnswerRow => ({
  id: 'unit',
  brand_id: 'acme',
  xmin: '7',
  mentioned: false,
  answer_text: 'Acme is good.',
  answer_truncated: false,
  sentiment_method: null,
  mention_method: null,
  brands: '[]',
  others: null,
  cited_domains: ['acme.example'],
  ...overrides,
});
const read = (units: AnswerRow[], signal = new AbortController().signal) =>
  reader.reread({ tracked: [acme], units, judgements: new Map() }, signal);

async function expectToRead(): Promise<void> {
  const [unit] = await read([answer()]);
  expect(unit).toMatchObject({ unit_id: 'unit', xmin: '7', moves_sources: true, unjudged: [] });
  expect(JSON.parse(unit?.replacement ?? '')).toMatchObject({
    id: 'unit',
    mentioned: true,
    position: 1,
    cited: true,
    brands: [{ unit_id: 'unit', ordinal: 0, brand_id: 'acme', evidence: [0, 4] }],
  });
}

test('units are read in a thread', async () => {
  await expectToRead();
});

test('an error of a task rejects it, and the next task succeeds', async () => {
  await expect(read([answer({ brands: '{' })])).rejects.toThrow('JSON');
  await expectToRead();
});

test('a task ends when its signal aborts, also in the middle, and the next task succeeds', async () => {
  const stopping = new AbortController();
  const text = 'Acme is good. Nothing else is. '.repeat(1_000);
  const pending = read(
    Array.from({ length: 5_000 }, () => answer({ answer_text: text })),
    stopping.signal,
  );
  // The thread has the task: one that waits would end without it.
  setTimeout(() => stopping.abort(), 100);
  await expect(pending).rejects.toThrow('abort');
  await expectToRead();
});
