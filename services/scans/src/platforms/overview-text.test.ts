import { describe, expect, test } from '@jest/globals';
import { parseDataForSeo } from './ai-overviews-dataforseo.ts';
import { parseSerpApi, type TextBlock } from './ai-overviews-serpapi.ts';
import { stripChip } from './source-chips.ts';

const sources = ['Gobble', 'HubSpot', 'Globex', 'EmailToolTester', 'PetMD', 'YouTube'];
const references = sources.map((source) => ({ source, link: `https://www.${source.toLowerCase()}.com/x` }));

function overview(...text_blocks: TextBlock[]): string | null {
  return parseSerpApi({ search_metadata: { status: 'Success' }, ai_overview: { text_blocks, references } })
    .answerText;
}

/** A link without a text, as chips and other links may be. */
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
    ['after a number', { snippet: '1. HubSpot', snippet_links: linked('HubSpot') }],
    ['after a number in a text', { snippet: 'Our favourite CRM is number 1. HubSpot' }],
    ['after a year', { snippet: 'These were the winners of 2025. HubSpot' }],
    ['after a number and a count', { snippet: '1. HubSpot +2', snippet_links: linked('HubSpot') }],
    ['after a number in brackets', { snippet: 'Our favourite is (1.) HubSpot' }],
    ['after a Roman numeral', { snippet: 'The part of the list is II. HubSpot' }],
    ['after a letter', { snippet: 'The best option is a. HubSpot' }],
    ['before a price', { snippet: 'Best CRM: HubSpot · from $15 a month' }],
    ['before a price, after a sentence', { snippet: 'This one is cheap. HubSpot · from $15 a month' }],
    ['in a list of points', { snippet: 'Top picks: Gobble · HubSpot' }],
    [
      'in a longer list of points',
      { snippet: 'The five top picks of the year: Globex · Gobble · YouTube · HubSpot' },
    ],
    ['as a site with channels in a list', { snippet: 'The best place for your videos is: YouTube · Free' }],
    [
      'as a site with channels before an attribute',
      { snippet: 'The best place for your videos is YouTube · free' },
    ],
    ['after a label', { snippet: 'Our pick. HubSpot', snippet_links: linked('HubSpot') }],
    ['after a question', { snippet: 'Which CRM is best? HubSpot', snippet_links: linked('HubSpot') }],
    ['after a Japanese question', { snippet: '一番良いのはどれですか？ HubSpot' }],
    ['after an ellipsis', { snippet: 'And the winner is… HubSpot' }],
    ['after three full stops', { snippet: 'And the winner is... HubSpot' }],
    ['after a host', { snippet: 'The best sites are acme.com. HubSpot' }],
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

  test.each(
    [
      'etc.',
      'U.S.',
      '(U.S.)',
      'Inc.',
      'Ltd.',
      'Nr.',
      'u.a.',
      'u. a.',
      'z. B.',
      'z.B.',
      'f.eks.',
      'f. eks.',
      't.ex.',
    ].concat([
      'p. ej.',
      'par ex.',
      'p.es.',
      'm.in.',
      'np.',
      'esim.',
      'bijv.',
      'o.a.',
      'St.',
      'Dr.',
      'No.',
      'incl.',
      'Sept.',
    ]),
  )('after the abbreviation %s', (abbreviation) => {
    const snippet = `There are some good tools here ${abbreviation} HubSpot`;
    expect(overview({ snippet })).toBe(snippet);
    expect(overview({ snippet, snippet_links: linked('HubSpot') })).toBe(snippet);
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

describe('a source chip after a sentence is removed', () => {
  const text = 'Mailchimp is often recommended for small shops';
  test.each<[string, string, TextBlock]>([
    ['with a count', `${text}.`, { snippet: `${text}. EmailToolTester +3` }],
    ['without count and link', `${text}.`, { snippet: `${text}. EmailToolTester` }],
    [
      'without a count, with a link',
      `${text}.`,
      { snippet: `${text}. EmailToolTester`, snippet_links: linked('EmailToolTester') },
    ],
    ['after a question, with a count', 'Is it good?', { snippet: 'Is it good? PetMD +1' }],
    ['after a short word', `${text} too.`, { snippet: `${text} too. PetMD` }],
    ['after an exclamation', 'It is so good!', { snippet: 'It is so good! PetMD' }],
    ['after a Hindi sentence', 'यह अच्छा है।', { snippet: 'यह अच्छा है। PetMD' }],
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
    ['of another source with its channel', `${text}.`, { snippet: `${text}. PetMD · Cats` }],
    [
      'with a count, of a source that is not listed',
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

  test('a number that is not a count stays', () => {
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

  test('a chip may name a source that the overview or another element lists', () => {
    const text = 'Many shops use a small CRM.';
    const hubspot = { ...reference('hubspot.com'), source: 'HubSpot' };
    const bare = { text: `${text} HubSpot` };
    expect(parse({ items: [bare], references: [hubspot] }).answerText).toBe(text);
    expect(parse({ items: [{ ...bare, references: [] }], references: [hubspot] }).answerText).toBe(text);
    expect(
      parse({ items: [{ ...bare, references: [reference('acme.com')] }], references: [hubspot] }).answerText,
    ).toBe(text);
    expect(parse({ items: [{ components: [bare] }], references: [hubspot] }).answerText).toBe(text);
    expect(parse({ items: [{ title: 'CRM', references: [hubspot] }, bare] }).answerText).toBe(
      `CRM\n\n${text}`,
    );
    expect(parse({ items: [{ text: 'The best CRM is HubSpot' }], references: [hubspot] }).answerText).toBe(
      'The best CRM is HubSpot',
    );
  });

  test('references of components are cited with markdown too', () => {
    const answer = parse({ markdown: 'Acme boils fast.', items, references: [reference('acme.com')] });
    expect(answer.answerText).toBe('Acme boils fast.');
    expect(answer.sources.map(({ domain }) => domain)).toEqual(['acme.com', 'globex.com', 'initech.com']);
  });
});
