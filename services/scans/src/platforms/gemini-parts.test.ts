import { describe, expect, test } from '@jest/globals';
import { findMentions } from '../../test/find-mentions.ts';
import { parseGemini } from './gemini.ts';

describe("joining Gemini's parts never joins two words", () => {
  const gemini = (...parts: unknown[]) =>
    parseGemini({ candidates: [{ content: { parts }, finishReason: 'STOP' }] });

  test.each([
    ['code', [{ executableCode: { code: 'x' } }, { codeExecutionResult: { output: '1' } }]],
    ['a thought', [{ text: 'Trello?', thought: true }]],
    ['a function call', [{ functionCall: { name: 'f' } }]],
  ])('%s between two texts', (_name, between) => {
    const answer = gemini({ text: 'The first is Notion' }, ...between, { text: 'Asana is second.' });
    expect(answer.answerText).toBe('The first is Notion\n\nAsana is second.');
    expect(findMentions(answer, 'Notion', 'Asana', 'Trello')).toEqual([
      ['Notion', 1, 1],
      ['Asana', 1, 2],
      ['Trello', 0, null],
    ]);
  });

  test('adjacent parts are one text', () => {
    expect(gemini({ text: 'Acme ' }, { text: 'leads.' }).answerText).toBe('Acme leads.');
  });

  test('text before a search announces it and is not the answer', () => {
    const search = { toolType: 'GOOGLE_SEARCH_WEB', id: '1' };
    const answer = gemini(
      { text: 'Let me look up Trello.' },
      { toolCall: search },
      { toolResponse: search },
      { text: 'Asana.' },
    );
    expect(answer.answerText).toBe('Asana.');
  });

  test('text before a search that a source supports is the answer', () => {
    const parts = [
      { text: 'Let me look up Trello.' },
      { toolResponse: { toolType: 'GOOGLE_SEARCH_WEB' } },
      { text: 'Notion leads.' },
      { toolResponse: { toolType: 'GOOGLE_SEARCH_WEB' } },
      { text: 'More detail?' },
    ];
    const groundingMetadata = { groundingSupports: [{ segment: { text: 'Notion leads.' } }, {}] };
    const candidates = [{ content: { parts }, finishReason: 'STOP', groundingMetadata }];
    expect(parseGemini({ candidates }).answerText).toBe('Notion leads.\n\nMore detail?');
  });
});
