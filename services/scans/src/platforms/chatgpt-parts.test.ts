import { describe, expect, test } from '@jest/globals';
import { findMentions } from '../../test/find-mentions.ts';
import { parseChatgpt } from './chatgpt.ts';
import { PlatformError } from './platform.ts';

const message = (text: string, phase?: string | null, fields: object = {}) => ({
  type: 'message',
  status: 'completed',
  content: [{ type: 'output_text', text, annotations: [] }],
  ...(phase === undefined ? {} : { phase }),
  ...fields,
});
const parts = (...texts: string[]) => ({
  type: 'message',
  content: texts.map((part) => ({ type: 'output_text', text: part })),
});
const chatgpt = (...output: unknown[]) => parseChatgpt({ status: 'completed', output });

describe("ChatGPT's commentary is not the answer", () => {
  test('a final answer stands alone', () => {
    const answer = chatgpt(
      message("I'm going to use the web search tool", 'commentary'),
      message('The capital of France is Paris.', 'final_answer'),
    );
    expect(answer.answerText).toBe('The capital of France is Paris.');
  });

  test('the same text in both phases counts once', () => {
    const text = 'Acme is the best choice.';
    expect(findMentions(chatgpt(message(text, 'commentary'), message(text, 'final_answer')), 'Acme')).toEqual(
      [['Acme', 1, 1]],
    );
  });

  test('a name at the end of the commentary is not joined to the answer', () => {
    const answer = chatgpt(
      message('Let me check current reviews of Notion', 'commentary'),
      message('Notion leads this category.', 'final_answer'),
    );
    expect(findMentions(answer, 'Notion')).toEqual([['Notion', 1, 1]]);
  });

  test('a brand only in the commentary is not mentioned and has no position', () => {
    const answer = chatgpt(
      message('Looking for alternatives to Trello.', 'commentary'),
      { type: 'web_search_call', status: 'completed', action: { type: 'search', query: 'trello' } },
      message('Checking Trello prices.', 'commentary'),
      message('Asana is a good pick.', 'final_answer'),
    );
    expect(findMentions(answer, 'Trello', 'Asana')).toEqual([
      ['Trello', 0, null],
      ['Asana', 1, 1],
    ]);
  });

  test('without a final answer, messages without a phase are the answer, else all messages', () => {
    expect(chatgpt(message('Notes.', 'commentary'), message('Acme wins.', null)).answerText).toBe(
      'Acme wins.',
    );
    expect(chatgpt(message('Notes.', 'commentary'), message('Acme wins.', 'commentary')).answerText).toBe(
      'Notes.\n\nAcme wins.',
    );
  });

  test('sources named in the commentary are not cited', () => {
    const cite = (url: string) => ({
      content: [{ type: 'output_text', text: 'See.', annotations: [{ type: 'url_citation', url }] }],
    });
    const answer = chatgpt(
      message('', 'commentary', cite('https://a.example.org/1')),
      message('', 'final_answer', cite('https://b.example.org/2')),
    );
    expect(answer.sources.filter(({ cited }) => cited).map(({ url }) => url)).toEqual([
      'https://b.example.org/2',
    ]);
  });

  test('citation marks are not text', () => {
    const mark = '\uE200cite\uE202turn0search0\uE202turn1view1\uE201';
    expect(chatgpt(message(`Notion${mark} leads.`)).answerText).toBe('Notion leads.');
  });

  test('a response cut off in its commentary has no answer', () => {
    const output = [message('Let me check Acme.', 'commentary')];
    const body = { status: 'incomplete', incomplete_details: { reason: 'max_output_tokens' }, output };
    expect(() => parseChatgpt(body)).toThrow(PlatformError);
  });

  test('messages become paragraphs; joining parts of one message never joins two words', () => {
    expect(chatgpt(message('We like Notion'), message('Notion leads.')).answerText).toBe(
      'We like Notion\n\nNotion leads.',
    );
    expect(chatgpt(parts('Acme is good ', '(cheap).')).answerText).toBe('Acme is good (cheap).');
    expect(chatgpt(parts('We like Notion', 'Asana is next.')).answerText).toBe(
      'We like Notion\n\nAsana is next.',
    );
  });

  test.each([
    ['bold after', ['Notion', '**Asana**']],
    ['bold before', ['**Notion**', 'Asana']],
    ['italics', ['_Notion_', '_Asana_']],
    ['code', ['`Notion`', '`Asana`']],
    ['a link after', ['Notion', '[Asana](https://asana.example/)']],
    ['a link before', ['[Notion](https://notion.example/)', 'Asana']],
    ['bold links', ['**[Notion](https://n.example/)**', '**[Asana](https://a.example/)**']],
    ['a tag', ['Notion', '<b>Asana</b>']],
    ['quotes', ['‘Notion’', 'Asana']],
  ])('names at the border of two parts both count: %s', (_name, texts) => {
    expect(findMentions(chatgpt(parts(...texts)), 'Notion', 'Asana')).toEqual([
      ['Notion', 1, 1],
      ['Asana', 1, 2],
    ]);
  });

  test.each([
    [['Notion', ' and ', '**Asana**', ' lead.'], 'Notion and **Asana** lead.'],
    [['Acme is good', ' ([a](https://a.example/))', '.'], 'Acme is good ([a](https://a.example/)).'],
    [['Acme is good', '[1]', ' and cheap.'], 'Acme is good[1] and cheap.'],
    [['Acme is good', '([a](https://a.example/)).'], 'Acme is good([a](https://a.example/)).'],
    [['We like **', 'Acme', '** (', 'cheap', ').'], 'We like **Acme** (cheap).'],
    [['Acme is the best tool', 'for teams.'], 'Acme is the best tool for teams.'],
    [['T-', 'Mobile and L’', 'Oréal'], 'T-Mobile and L’Oréal'],
  ])('a sentence that is split into parts is joined: %j', (texts, expected) => {
    expect(chatgpt(parts(...texts)).answerText).toBe(expected);
  });
});

describe("ChatGPT's messages before a search are not the answer", () => {
  const search = { type: 'web_search_call', status: 'completed', action: { type: 'search', query: 'x' } };
  const narration = message("I'll look for alternatives to Trello.");
  const picks = message('Asana is a good pick.');
  const cited = (content: string, url: string) =>
    message(content, undefined, {
      content: [{ type: 'output_text', text: content, annotations: [{ type: 'url_citation', url }] }],
    });

  test.each([
    ['one search', [narration, search, picks]],
    ['narration between searches', [search, narration, search, picks]],
    ['reasoning', [{ type: 'reasoning' }, narration, search, { type: 'reasoning' }, picks]],
    ['a search that failed', [narration, { ...search, status: 'failed' }, search, picks]],
    ['a blank message at the end', [narration, search, picks, search, message(' ')]],
    ['a search after the answer', [narration, search, picks, search]],
    ['a phase of null', [message("I'll look for Trello.", null), search, picks]],
  ])('%s', (_name, output) => {
    const answer = chatgpt(...output);
    expect(answer.answerText?.trim()).toBe('Asana is a good pick.');
    expect(findMentions(answer, 'Trello', 'Asana')).toEqual([
      ['Trello', 0, null],
      ['Asana', 1, 1],
    ]);
  });

  test('a message with citations is part of the answer, also before a search', () => {
    const answer = chatgpt(
      narration,
      search,
      cited('Notion leads.', 'https://n.example.org/'),
      search,
      message('Would you like more detail?'),
    );
    expect(answer.answerText).toBe('Notion leads.\n\nWould you like more detail?');
    expect(answer.sources.map(({ url, cited: isCited }) => [url, isCited])).toEqual([
      ['https://n.example.org/', true],
    ]);
  });

  test('without text after a search all text is the answer, unless the response was cut off', () => {
    expect(chatgpt(message('Notion is an app.'), search).answerText).toBe('Notion is an app.');
    const body = { status: 'incomplete', incomplete_details: { reason: 'max_output_tokens' } };
    expect(() => parseChatgpt({ ...body, output: [narration, search] })).toThrow(PlatformError);
    const output = [cited('Notion leads.', 'https://n.example.org/'), search];
    expect(parseChatgpt({ ...body, output })).toMatchObject({ answerText: 'Notion leads.', truncated: true });
  });
});
