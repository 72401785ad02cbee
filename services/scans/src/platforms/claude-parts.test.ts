import { describe, expect, test } from '@jest/globals';
import { findMentions } from '../../test/find-mentions.ts';
import { parseClaude } from './claude.ts';
import { PlatformError } from './platform.ts';

const text = (content: string, ...urls: string[]) => ({
  type: 'text',
  text: content,
  citations: urls.map((url) => ({ type: 'web_search_result_location', url, title: null })),
});
const call = (name = 'web_search') => ({ type: 'server_tool_use', name, input: { query: 'trello' } });
const result = (type = 'web_search_tool_result') => ({
  type,
  content: [{ type: 'web_search_result', url: 'https://r.example.org/', title: 'R' }],
});
const claude = (content: unknown[], stop_reason = 'end_turn') => parseClaude([{ content, stop_reason }]);

describe("Claude's narration before a search is not the answer", () => {
  const narration = text("I'll search for alternatives to Trello.");
  const picks = text('Asana and ClickUp are the usual picks.');

  test.each([
    ['one search', [narration, call(), result(), picks]],
    [
      'a search in code',
      [narration, call('code_execution'), call(), result(), result('code_execution_tool_result'), picks],
    ],
    [
      'a fetched page',
      [
        narration,
        call('web_fetch'),
        { type: 'web_fetch_tool_result', content: { type: 'web_fetch_result' } },
        picks,
      ],
    ],
    [
      'a failed search',
      [
        narration,
        call(),
        {
          type: 'web_search_tool_result',
          content: { type: 'web_search_tool_result_error', error_code: 'unavailable' },
        },
        call(),
        result(),
        picks,
      ],
    ],
    ['narration between searches', [call(), result(), narration, call(), result(), picks]],
    [
      'thinking',
      [
        { type: 'thinking', thinking: 'Trello?' },
        narration,
        call(),
        result(),
        { type: 'thinking', thinking: 'Trello!' },
        picks,
      ],
    ],
    ['blank text at the end', [narration, call(), result(), picks, text('\n')]],
  ])('%s', (_name, content) => {
    const answer = claude(content);
    expect(answer.answerText?.trim()).toBe('Asana and ClickUp are the usual picks.');
    expect(findMentions(answer, 'Trello', 'Asana')).toEqual([
      ['Trello', 0, null],
      ['Asana', 1, 1],
    ]);
  });

  test('a turn that was paused between the search and its result', () => {
    const answer = parseClaude([
      { content: [narration, call()], stop_reason: 'pause_turn' },
      { content: [result(), picks], stop_reason: 'end_turn' },
    ]);
    expect(answer.answerText).toBe('Asana and ClickUp are the usual picks.');
  });

  test('without text after a search all text is the answer, unless the turn was cut off', () => {
    expect(claude([text('Notion is a workspace app.'), call(), result()]).answerText).toBe(
      'Notion is a workspace app.',
    );
    for (const reason of ['max_tokens', 'model_context_window_exceeded']) {
      expect(() => claude([narration, call(), result()], reason)).toThrow(PlatformError);
    }
    expect(claude([narration, call(), result()], 'refusal').outcome).toBe('no_answer');
  });

  test('a search without text after it does not hide the answer before it', () => {
    expect(claude([narration, call(), result(), picks, call(), result()]).answerText).toBe(
      'Asana and ClickUp are the usual picks.',
    );
  });

  test('adjacent texts are one sentence, a block between them starts a new paragraph', () => {
    const cited = [text('Notion'), text(' and Asana', 'https://a.example.org/'), text(' lead.')];
    expect(claude([call(), result(), ...cited]).answerText).toBe('Notion and Asana lead.');
    const apart = claude([
      call(),
      result(),
      text('We like Notion'),
      { type: 'thinking' },
      text('Notion leads.'),
    ]);
    expect(apart.answerText).toBe('We like Notion\n\nNotion leads.');
  });

  test('citations of text before a search count as cited', () => {
    const answer = claude([
      text('Per a page.', 'https://n.example.org/'),
      call(),
      result(),
      text('Asana.', 'https://a.example.org/'),
    ]);
    expect(answer.answerText).toBe('Per a page.\n\nAsana.');
    expect(answer.sources.map(({ url, cited }) => [url, cited])).toEqual([
      ['https://n.example.org/', true],
      ['https://a.example.org/', true],
      ['https://r.example.org/', false],
    ]);
  });
});

describe("Claude's text with citations is part of the answer, also before a search", () => {
  const narration = text("I'll search for alternatives to Trello.");
  const leads = [text('For projects, '), text('Notion leads', 'https://n.example.org/'), text('.')];

  test.each([
    ['a second part', [...leads, call(), result(), text('## CRM\nHubSpot')], '## CRM\nHubSpot'],
    ['a closing', [...leads, call(), result(), text('More detail?')], 'More detail?'],
    ['narration after it', [...leads, call(), result(), narration, call(), result(), text('End.')], 'End.'],
  ])('%s', (_name, content, rest) => {
    const answer = claude([narration, call(), result(), ...content]);
    expect(answer.answerText).toBe(`For projects, Notion leads.\n\n${rest}`);
    expect(findMentions(answer, 'Trello', 'Notion')).toEqual([
      ['Trello', 0, null],
      ['Notion', 1, 1],
    ]);
  });

  test.each([
    ['at a search', [...leads, call()], [result(), text(' Asana is next.')]],
    ['before a search', leads, [call(), result(), text('Asana is next.')]],
    ['between texts', [text('For projects, ')], [text('Notion leads', 'https://n.example.org/'), text('.')]],
  ])('a pause in the middle of an answer loses no half: %s', (_name, first, second) => {
    const answer = parseClaude([
      { content: [narration, call(), result(), ...first], stop_reason: 'pause_turn' },
      { content: second, stop_reason: 'end_turn' },
    ]);
    expect(answer.answerText).toMatch(/^For projects, Notion leads\.(?:\n\nAsana is next\.)?$/);
  });

  test.each(['max_tokens', 'model_context_window_exceeded', 'refusal'])('%s after a search', (reason) => {
    const content = [narration, call(), result(), ...leads, call(), result()];
    expect(claude(content, reason)).toMatchObject({
      outcome: 'answered',
      answerText: 'For projects, Notion leads.',
      truncated: true,
    });
    expect(claude([...content, narration, call()], reason).answerText).toBe('For projects, Notion leads.');
  });
});
