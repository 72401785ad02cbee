import { describe, expect, test } from '@jest/globals';
import { parseDataForSeo } from './ai-overviews-dataforseo.ts';
import { parseSerpApi } from './ai-overviews-serpapi.ts';
import type { TextBlock } from './serpapi-text.ts';
import { stripChip } from './source-chips.ts';

const sources = ['Gobble', 'HubSpot', 'Globex', 'EmailToolTester', 'PetMD', 'YouTube'];
const references = sources.map((source) => ({ source, link: `https://www.${source.toLowerCase()}.com/x` }));

function overview(...text_blocks: TextBlock[]): string | null {
  return parseSerpApi({ search_metadata: { status: 'Success' }, ai_overview: { text_blocks, references } })
    .answerText;
}

/** A link that has lost its text, as chips and ordinary links may. */
const linked = (source: string) => [{ link: `https://www.${source.toLowerCase()}.com/x` }];

describe('a source name inside a sentence stays', () => {
  test.each<[string, TextBlock]>([
    [
      'at its end, with a link',
      {
        snippet: 'For vegetarian families with picky kids the best choice is Gobble',
        snippet_links: linked('Gobble'),
      },
    ],
    [
      'at its end, without a link',
      { snippet: 'For vegetarian families with picky kids the best choice is Gobble' },
    ],
    ['after an introduction', { snippet: 'Best overall: HubSpot', snippet_links: linked('HubSpot') }],
    ['after a comma', { snippet: 'If the budget is small, HubSpot', snippet_links: linked('HubSpot') }],
    ['after a bracket', { snippet: 'The winner (by far) HubSpot', snippet_links: linked('HubSpot') }],
    ['after an abbreviation', { snippet: 'Salesforce vs. HubSpot', snippet_links: linked('HubSpot') }],
    ['after another abbreviation', { snippet: 'Use a CRM, e.g. HubSpot', snippet_links: linked('HubSpot') }],
    ['after an initial', { snippet: 'A bag by J. Globex', snippet_links: linked('Globex') }],
    ['alone', { snippet: 'HubSpot', snippet_links: linked('HubSpot') }],
    ['in the middle', { snippet: 'It is good. HubSpot leads.', snippet_links: linked('HubSpot') }],
    ['as a part of a word', { snippet: 'It is good. MyHubSpot' }],
    [
      'as the host of a link',
      { snippet: 'See the page at www.hubspot.com', snippet_links: linked('HubSpot') },
    ],
  ])('%s', (_name, block) => {
    expect(overview(block)).toBe(block.snippet);
  });

  test('in a list item without a full stop', () => {
    const list = [
      { snippet: 'Best overall: HubSpot' },
      { snippet: 'Also consider HubSpot', snippet_links: linked('HubSpot') },
    ];
    expect(overview({ type: 'list', list })).toBe('Best overall: HubSpot\nAlso consider HubSpot');
  });

  test('after a short introduction of a list', () => {
    const paragraph = {
      type: 'paragraph',
      snippet: 'The best CRM: HubSpot',
      snippet_links: linked('HubSpot'),
    };
    expect(overview(paragraph, { type: 'list', list: [{ snippet: 'Free plan' }] })).toBe(
      'The best CRM: HubSpot\nFree plan',
    );
  });
});

describe('a source chip after a sentence goes', () => {
  const text = 'Mailchimp is often recommended for small shops';
  test.each<[string, string, TextBlock]>([
    ['with a count', `${text}.`, { snippet: `${text}. EmailToolTester +3` }],
    ['without count and link', `${text}.`, { snippet: `${text}. EmailToolTester` }],
    [
      'without a count, with a link',
      `${text}.`,
      { snippet: `${text}. EmailToolTester`, snippet_links: linked('EmailToolTester') },
    ],
    ['after a question', 'Is it good?', { snippet: 'Is it good? PetMD' }],
    ['after a quotation', 'It is “good.”', { snippet: 'It is “good.” PetMD' }],
    ['after a bracket', 'It is good (and cheap.)', { snippet: 'It is good (and cheap.) PetMD' }],
    [
      'after a Japanese sentence',
      '少量で高い効果が期待できます。',
      { snippet: '少量で高い効果が期待できます。 PetMD' },
    ],
    ['glued to a Japanese sentence', '効果が期待できます。', { snippet: '効果が期待できます。PetMD' }],
    ['by its host', `${text}.`, { snippet: `${text}. www.petmd.com` }],
    [
      'by a linked host that is no reference',
      `${text}.`,
      { snippet: `${text}. other.example.org`, snippet_links: [{ link: 'https://other.example.org/' }] },
    ],
    [
      'with a count and no full stop',
      'A breakdown of popular ages:',
      { snippet: 'A breakdown of popular ages: PetMD +2' },
    ],
    ['with its channel', `${text}.`, { snippet: `${text}. YouTube·Buyers Guides +1` }],
    ['with its channel and no count', text, { snippet: `${text} YouTube · Buyers Guides` }],
    [
      'counted, of a source that is not known',
      `${text}.`,
      { snippet: `${text}. Unknown Blog +4`, snippet_links: [{ link: 'https://u.example.org/' }] },
    ],
  ])('%s', (_name, expected, block) => {
    expect(overview(block)).toBe(expected);
  });

  test('after a sentence that introduces the next block', () => {
    const snippet =
      'If you want to calculate a specific age, you can use the following formula for any cat: PetMD';
    const paragraph = { type: 'paragraph', snippet, snippet_links: linked('PetMD') };
    expect(overview(paragraph, { type: 'paragraph', snippet: '24 + 4' })).toBe(
      `${snippet.slice(0, -6)}\n24 + 4`,
    );
    expect(overview(paragraph)).toBe(snippet);
  });

  test('a number that is no count stays', () => {
    expect(stripChip('Prices fell by 5 +10', { names: ['PetMD'] })).toBe('Prices fell by 5 +10');
  });
});

describe('a DataForSEO overview without markdown is read from its elements', () => {
  const reference = (domain: string) => ({
    type: 'ai_overview_reference',
    domain,
    source: domain,
    url: `https://${domain}/a`,
  });
  const parse = (item: object) =>
    parseDataForSeo({
      status_code: 20_000,
      tasks: [{ status_code: 20_000, result: [{ items: [{ type: 'ai_overview', ...item }] }] }],
    });
  const items = [
    {
      type: 'ai_overview_element',
      title: 'Kettles',
      text: 'Acme boils fast. acme.com',
      references: [reference('acme.com')],
    },
    {
      type: 'ai_overview_expanded_element',
      title: 'More',
      text: 'Two others.',
      components: [
        {
          type: 'ai_overview_expanded_component',
          title: 'Globex',
          text: 'Quiet. globex.com +1',
          references: [reference('globex.com')],
        },
        null,
        { type: 'ai_overview_expanded_component', markdown: 'Umbrella is red.[[1]](https://x.org)' },
      ],
    },
    {
      type: 'ai_overview_table_element',
      table: { table_header: ['Name', 'Price'], table_content: [['Initech', '30'], null, ['Vandelay', 40]] },
      references: [reference('initech.com')],
    },
    {
      type: 'ai_overview_video_element',
      title: 'Hooli in a test',
      snippet: 'We try Hooli.',
      source: 'YouTube',
    },
    'odd',
  ];

  test.each([null, '', ' '])('markdown %j', (markdown) => {
    const answer = parse({ markdown, items, references: null });
    expect(answer.answerText).toBe(
      [
        'Kettles\nAcme boils fast.',
        'More\nTwo others.',
        'Globex\nQuiet.',
        'Umbrella is red.[[1]](https://x.org)',
        'Name | Price\nInitech | 30\nVandelay | 40',
        'Hooli in a test\nWe try Hooli.',
      ].join('\n\n'),
    );
    expect(answer.sources.map(({ domain, cited }) => [domain, cited])).toEqual([
      ['acme.com', true],
      ['globex.com', true],
      ['initech.com', true],
    ]);
  });

  test('references of components are cited with markdown too', () => {
    const answer = parse({ markdown: 'Acme boils fast.', items, references: [reference('acme.com')] });
    expect(answer.answerText).toBe('Acme boils fast.');
    expect(answer.sources.map(({ domain }) => domain)).toEqual(['acme.com', 'globex.com', 'initech.com']);
  });
});
