import { describe, expect, test } from '@jest/globals';
import { extract } from '@bv/extraction';
import { joinBlocks } from './answer.ts';
import { parseChatgpt } from './chatgpt.ts';
import { parseClaude } from './claude.ts';
import { parseGemini } from './gemini.ts';
import { type ParsedAnswer, PlatformError } from './platform.ts';

function findMentions({ answerText, sources }: ParsedAnswer, ...names: string[]): unknown[] {
  const brands = names.map((name) => ({
    id: name,
    name,
    domain: `${name}.example`,
    aliases: [],
    isOwn: false,
  }));
  return extract({ answerText, sources, brands }).map(({ brandId, mentionCount, position }) => [
    brandId,
    mentionCount,
    position,
  ]);
}

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

test.each([
  [['a', 'b'], 'ab'],
  [['a', null, 'b'], 'a\n\nb'],
  [['a \n', null, null, '\n\n b'], 'a\n\nb'],
  [['a', null, ' ', null, 'b'], 'a\n\nb'],
  [['a', null, '\n', 'b'], 'a\n\nb'],
  [[null, ' a ', null], ' a '],
  [['', null, 'a'], 'a'],
  [['a', '\n\n', 'b'], 'a\n\nb'],
  [[], ''],
])('blocks %j are joined to %j', (blocks, expected) => {
  expect(joinBlocks(blocks)).toBe(expected);
});
