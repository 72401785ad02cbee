import { describe, expect, test } from '@jest/globals';
import { withoutCitationMarks } from './citation-marks.ts';
import { extract } from '../extract.ts';

function mentions(text: string, name: string, domain = 'acme.com', aliases: string[] = []): number {
  const brand = { id: name, name, domain, aliases, isOwn: false };
  return extract({ answerText: text, sources: [], brands: [brand] })[0]?.mentionCount ?? 0;
}

describe('a link label that is an address is not a mention', () => {
  test.each([
    'Globex is the usual choice.\n\n**Sources:**\n1. [acme.com](https://vertexaisearch.cloud.google.com/grounding-api-redirect/AUZ)',
    'See [acme.com](https://acme.com).',
    'See [acme.com/docs](https://acme.com/docs).',
    'See [acme.com/](https://acme.com/).',
    'See [www.acme.com](https://www.acme.com).',
    'See [WWW.Acme.com](https://www.acme.com).',
    'See [blog.acme.com](https://blog.acme.com/x).',
    'See [https://acme.com](https://acme.com).',
    'See [http://www.acme.com/a?b=c#d](https://acme.com).',
    'See [acme.com:8080/x](https://acme.com:8080/x).',
    'See [**acme.com**](https://acme.com) and **[acme.com](https://acme.com)**.',
    'See [`acme.com`](https://acme.com) and [_acme.com_](https://acme.com).',
    'See [<https://acme.com>](https://acme.com).',
    'See [“acme.com”](https://acme.com).',
    'See [acme.com ↗](https://acme.com) and [→ acme.com](https://acme.com).',
    'See [acme.com +2](https://acme.com) and [acme.com, globex.com](https://acme.com).',
    'See [acme.com › blog › kettles](https://acme.com/blog).',
    'See [acme.com/very-long-pa…](https://acme.com/very-long-path).',
    'See [\\[acme.com\\]](https://acme.com) and \\[acme.com\\](https://acme.com).',
    'See [acme\\.com](https://acme.com).',
    'See [[acme.com]](https://acme.com).',
    'See [acme.com](https://x.org/wiki/A_(b_(c))).',
    'See [acme.com](<https://x.org/a b>) and [acme.com]().',
    "See [acme.com](https://x.org 'A title') and [acme.com](https://x.org (A title)).",
    'See [acme.com](https://acme.com "Acme").',
    'See [acme.com][1].\n\n[1]: https://acme.com',
    'See [acme.com][acme].\n\n[acme]: https://acme.com "The site of Acme"',
    'See [acme.com][] and [acme.com].\n\n[acme.com]: <https://acme.com>',
    'See [acme.com][2] for more.',
    'See <a href="https://acme.com">acme.com</a> and <a href="https://acme.com"><b>www.acme.com/x</b></a>.',
    'See ![acme.com](https://acme.com/a.png), ![Acme][logo] and [![Acme](a.png)](https://acme.com).\n\n[logo]: https://acme.com/l.png',
    'See (source: [acme.com](https://acme.com)).',
  ])('%j', (text) => {
    expect(mentions(text, 'Acme')).toBe(0);
  });
});

describe('an address that is a part of a link label is not a mention', () => {
  test.each([
    '[Source: acme.com](https://acme.com)',
    '[Sources: acme.com, globex.com](https://acme.com)',
    '[**Source:** acme.com](https://acme.com)',
    '[(Source: www.acme.com/pricing)](https://acme.com)',
    '[Source acme.com](https://acme.com)',
    '[1. acme.com](https://acme.com) and [[1] acme.com](https://acme.com)',
    '[via acme.com](https://acme.com) and [Via: acme.com](https://acme.com)',
    '[Quelle: acme.com](https://acme.com) and [Fuente: acme.com](https://acme.com)',
    '[出典：acme.com](https://acme.com)',
    '[Read more at acme.com](https://acme.com) and [from acme.com](https://acme.com)',
    '[acme.com - Pricing](https://acme.com)',
    '[acme.com – Pricing](https://acme.com) and [acme.com—Pricing](https://acme.com)',
    '[www.acme.com/pricing | Pricing](https://acme.com)',
    '[acme.com: Pricing](https://acme.com) and [acme.com · Pricing](https://acme.com)',
    '[Pricing - acme.com](https://acme.com) and [Pricing | acme.com](https://acme.com)',
    '[Pricing (acme.com)](https://acme.com)',
    '[Source: Pricing - acme.com](https://acme.com)',
    '[Source: acme.com][1]\n\n[1]: https://acme.com',
    '<a href="https://acme.com">Source: acme.com</a> and <a href="https://acme.com">acme.com - Pricing</a>',
  ])('%j', (text) => {
    expect(mentions(text, 'Acme')).toBe(0);
  });

  test('the other part is text', () => {
    expect(mentions('[acme.com - Globex pricing](https://acme.com)', 'Globex')).toBe(1);
    expect(mentions('[acme.com - Acme pricing](https://acme.com)', 'Acme')).toBe(1);
    expect(mentions('[Source: Acme](https://acme.com)', 'Acme')).toBe(1);
    expect(mentions('[Best overall: acme.com](https://acme.com)', 'Acme')).toBe(1);
    expect(mentions('[Acme - kettles](https://acme.com) and [Acme: kettles](https://acme.com)', 'Acme')).toBe(
      2,
    );
  });

  test('a brand whose name is a host is mentioned', () => {
    const labels = [
      'Source: monday.com',
      'monday.com - Pricing',
      'Pricing | Monday.com',
      'monday.com: Pricing',
    ];
    for (const label of labels)
      expect(mentions(`[${label}](https://x.org)`, 'Monday.com', 'monday.com')).toBe(1);
  });
});

describe('a link label with other words is text', () => {
  test.each([
    '1. **[Acme](https://acme.com)** - best for shops.',
    '[Acme - the kettle maker](https://acme.com) is good.',
    'See [the site of acme.com](https://acme.com).',
    'See [Acme][1].\n\n[1]: https://acme.com',
    'See [Acme][acme].\n\n[acme]: https://x.org',
    'See <a href="https://acme.com">Acme</a>.',
    'Mail [sales@acme.com](mailto:sales@acme.com).',
    'See [Acme](https://x.org/wiki/A_(b_(c))).',
  ])('%j', (text) => {
    expect(mentions(text, 'Acme')).toBe(1);
  });

  test('a bracket that is not a link stays, whatever follows', () => {
    expect(mentions('[Globex][Acme]', 'Acme')).toBe(1);
    expect(mentions('Choose [Acme] or [Globex].', 'Acme')).toBe(1);
  });
});

describe('an address in the text is a mention: the domain is written there', () => {
  test.each([
    'A comparison: https://blog.acme.com/acme-vs-globex',
    'See <https://acme.com>.',
    'See acme.com.',
    'Sources:\n- acme.com\n- globex.com',
  ])('%j', (text) => {
    expect(mentions(text, 'Unrelated')).toBeGreaterThan(0);
  });
});

describe('a brand whose name is a host is mentioned by a label', () => {
  test.each([
    ['Monday.com', 'monday.com', 'See [Monday.com](https://monday.com).'],
    ['Monday.com', 'monday.com', 'See [www.monday.com/pricing](https://monday.com).'],
    ['You.com', 'you.com', 'See [**you.com**](https://you.com).'],
    ['Booking.com', 'booking.com', '1. [Booking.com][1]\n\n[1]: https://booking.com'],
    ['Booking.com®', 'booking.com', 'See [booking.com, expedia.com](https://booking.com).'],
  ])('%s of %s in %j', (name, domain, text) => {
    expect(mentions(text, name, domain)).toBe(1);
  });

  test('also by an alias, but not by its domain or another host', () => {
    expect(mentions('See [monday.com](https://monday.com).', 'Monday', 'monday.com', ['monday.com'])).toBe(1);
    expect(mentions('See [monday.com](https://monday.com).', 'Work OS', 'monday.com')).toBe(0);
    expect(mentions('See [blog.monday.com](https://monday.com).', 'Monday.com', 'monday.com')).toBe(0);
  });

  test('and no other brand is', () => {
    const brand = (name: string, domain: string) => ({ id: name, name, domain, aliases: [], isOwn: false });
    const text = 'See [booking.com, expedia.com](https://x.org).';
    const brands = [brand('Booking.com', 'booking.com'), brand('Expedia', 'expedia.com')];
    const found = extract({ answerText: text, sources: [], brands });
    expect(found.map(({ mentionCount }) => mentionCount)).toEqual([1, 0]);
  });
});

describe('citation marks are not text', () => {
  const mark = '\uE200cite\uE202turn0search0\uE202turn1view1\uE201';
  test.each([
    [`Notion${mark} is a good choice.`, 'Notion is a good choice.'],
    [`Notion${mark}leads.`, 'Notion leads.'],
    [`Notion leads. ${mark}${mark}`, 'Notion leads. '],
    ['Notion leads.\uE200cite\uE202turn0sea', 'Notion leads.'],
    ['Notion leads.\uE200cite', 'Notion leads.'],
    ['Notion\uE201 leads\uE202.', 'Notion leads.'],
    ['Notionciteturn0search0turn1view1 leads.', 'Notion leads.'],
    ['Globex is a good choice【4†Acme Blog】.', 'Globex is a good choice.'],
    ['Globex【4:0†source】 and Acme【13†L1-L5】.', 'Globex and Acme.'],
    ['【公式】Acme', '【公式】Acme'],
  ])('%j is kept as %j', (text, expected) => {
    expect(withoutCitationMarks(text)).toBe(expected);
  });

  const shown = (...values: string[]) => `\uE200${values.join('\uE202')}\uE201`;

  test.each([
    [`${shown('entity', '["company","Acme","kettle maker"]')} leads.`, 'Acme leads.'],
    [`${shown('entity["company","Acme"]')} leads.`, 'Acme leads.'],
    [`${shown('entity', '["Acme"]')} leads.`, 'Acme leads.'],
    [`${shown('entity', '["company","Acme \\"A\\" [1]",{"a":1}]')} leads.`, 'Acme "A" [1] leads.'],
    [`${shown('entity', 'Acme')}'s kettles`, "Acme's kettles"],
    [`${shown('product_entity', '["turn0product1","Acme K1"]')} leads.`, 'Acme K1 leads.'],
    [`See ${shown('url', 'Acme', 'https://acme.com/')}.`, 'See Acme.'],
    [`See ${shown('url', 'Acme kettles', 'turn0search0')}.`, 'See Acme kettles.'],
    [`See ${shown('link_title', 'Acme', 'search1')}.`, 'See Acme.'],
    [`by${shown('url', 'Acme', 'https://acme.com/')}and`, 'by Acme and'],
    [`Good.${shown('url', 'https://acme.com/')}`, 'Good.'],
    [`${shown('other', 'Acme', 'turn0search0')} leads.`, 'Acme leads.'],
    [`See \uE200url\uE202Acme kettles`, 'See Acme kettles'],
    [`Good.${shown('filecite', 'turn0file0', 'L1-L5')}${shown('memcite', 'x')}`, 'Good.'],
    [`Good.${shown('i', 'turn0image0')}${shown('image_group', '{"query":["Acme"]}')}`, 'Good.'],
    [`Good.${shown('navlist', 'News on Acme', 'turn0news1,turn0news2')}`, 'Good.'],
    [`Good.${shown('genui', '{"chart":["Acme"]}')}`, 'Good.'],
    [`by ${shown('entity', '["company","Acme')}.`, 'by Acme.'],
  ])('%j keeps the words that a mark shows: %j', (text, expected) => {
    expect(withoutCitationMarks(text)).toBe(expected);
  });

  test('a brand that a mark shows is a mention', () => {
    expect(mentions(`We like ${shown('entity', '["company","Acme","maker"]')}.`, 'Acme')).toBe(1);
    expect(mentions(`We like ${shown('entity', '["company","Acme","maker"]')}.`, 'Maker')).toBe(0);
  });

  test('also in a text that is already stored', () => {
    expect(mentions(`Notion${mark}leads.`, 'Notion')).toBe(1);
    expect(mentions('Globex is a good choice【4†Acme Blog】.', 'Acme')).toBe(0);
  });
});

describe('HTML entities are read as the characters they are', () => {
  test.each([
    ["McDonald's", 'McDonald&#8217;s fries are popular.'],
    ["McDonald's", 'McDonald&#x27;s and McDonald&#X2019;s'],
    ["McDonald's", 'McDonald&apos;s, McDonald&rsquo;s'],
    ['H&M', 'H&amp;M and H&#38;M'],
    ['Citroën', 'Citro&euml;n and Citro&#235;n'],
    ['Acme', 'by Acme&reg; and Acme&trade;.'],
    ['Coca-Cola', 'Coca&#8209;Cola and Coca&ndash;Cola'],
    ['Home Depot', 'the Home&nbsp;Depot and Home&#160;Depot'],
    ['Acme', '&lt;Acme&gt;'],
  ])('%s in %j', (name, text) => {
    expect(mentions(text, name, 'unrelated.example')).toBeGreaterThan(0);
  });

  test('other text with an ampersand stays', () => {
    expect(mentions('AT&T and R&D;', 'AT&T')).toBe(1);
    expect(mentions('x &copy Acme &#xZZ;', 'Acme')).toBe(1);
  });
});
