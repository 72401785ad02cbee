import { describe, expect, test } from '@jest/globals';
import { extract } from './extract.ts';
import type { TrackedBrand } from './names/tracked-brand.ts';

function brand(name: string, domain = 'unrelated.example', aliases: string[] = []): TrackedBrand {
  return { id: name, name, domain, aliases, isOwn: false };
}

function find(text: string | null, ...brands: TrackedBrand[]) {
  return extract({ answerText: text, sources: [], brands });
}

function isMentioned(text: string, tracked: TrackedBrand): boolean {
  return find(text, tracked)[0]?.mentioned ?? false;
}

describe('whole words', () => {
  test.each([
    ['Acme', 'Acme is here.', true],
    ['Acme', 'ACME!', true],
    ['Acme', 'acmeology', false],
    ['Acme', 'preacme', false],
    ['Acme', 'Acme2', false],
    ['Acme', '(Acme)', true],
    ['Acme', '"Acme",', true],
    ['Acme', '**Acme**', true],
    ['Acme', '_Acme_', true],
    ['Acme', '#Acme and @acme', true],
    ['Acme', 'Acme-based tools', true],
    ['Acme', 'anti-Acme', true],
    ['Acme', 'Acme/Globex', true],
    ['Acme', 'Acme\u00ADology', false],
    ['Acme', 'Ａｃｍｅ', true],
    ['Acme', 'Acme™', true],
    ['Acme', 'Acme² and Globex', true],
    ['Acme', '¹Acme', true],
    ['Acme', 'It ended.Acme began.', true],
    ['Arc', 'arcade, search, Arcadia, arc2', false],
    ['Arc', 'the Arc browser', true],
    ['X', 'posted on X.', true],
    ['X', 'Xbox, max, next', false],
    ['X', 'X-ray and x-axis', false],
    ['X', "X's owner", true],
    ['X', 'X’s owner', true],
    ['X', "d'X", false],
    ['X', "Le message a été publié hier sur le compte d'X de la mairie.", true],
    ['C', 'C++ and C#', false],
    ['C++', 'C++ and C#', true],
    ['AT', 'AT&T', false],
    ['AT&T', 'by AT&T.', true],
    ['Node', 'Node.js', false],
    ['Node.js', 'Node.js is fast', true],
    ['Yahoo!', 'Yahoo! News', true],
    ['Yahoo!', 'Yahoo News', true],
    ['7-Eleven', 'a 7 Eleven shop', true],
    ['Coca-Cola', 'Coca Cola', true],
    ['Coca Cola', 'Coca–Cola', true],
    ['Home Depot', 'Home - Depot', false],
    ['Home Depot', 'Home\nDepot', false],
    ['Home Depot', 'Home\u00A0 Depot', true],
    ['Zoho CRM', '**Zoho** CRM, *Zoho* and `Zoho`', true],
    ['E*TRADE', '**E*TRADE** is a broker', true],
    ['Acme', '* Acme\n* Globex', true],
    ['H&M', 'H & M and H&amp;M', true],
    ['H & M', 'at H&M', true],
    ['Nike', 'follow nike_store or @my_nike', false],
    ['.NET', 'see example.net and ASP.NET', false],
    ['.NET', 'written in .NET 8', true],
    ['Arc', "Arc'teryx and Arc’teryx jackets", false],
    ['Reilly', "a book by O'Reilly for programmers", false],
    ['N', "rock'n'roll", false],
  ])('%s in %j: %s', (name, text, expected) => {
    expect(isMentioned(text, brand(name))).toBe(expected);
  });
});

describe('accents, apostrophes, possessives', () => {
  test.each([
    ["L'Oréal", 'L’OREAL', true],
    ["L'Oréal", 'Loreal', true],
    ['Shell', "she'll come", false],
    ["McDonald's", 'McDonalds', true],
    ["McDonald's", "McDonald's' fries", true],
    ['Ørsted', 'Orsted and ØRSTED', true],
    ['Żabka', 'Zabka', true],
    ['Straße', 'STRASSE', true],
    ['Citroën', 'Citroe\u0308n', true],
    ['Tesla', "Tesla's cars", true],
    ['Tesla', 'the Teslas were parked', false],
    ['Tesla', 'Tesla`s cars', true],
    ['Tesla', 'I hear Tesla’ll win', true],
    ['IKEA', "On achète ses meubles chez l'IKEA de la ville.", true],
    ['Acme', "Acme'nin ürünleri çok güzel ve ucuz, herkes bunları seviyor.", true],
    ['Acme', "'Acme' they call it", true],
    ['Volvo', 'Volvos bilar är säkra och bra för hela familjen.', true],
    ['BMW', 'BMWs neue Strategie für den Markt ist bekannt.', true],
    ['Haus', 'Die hausen dort und die Leute sind weg.', false],
  ])('%s in %j: %s', (name, text, expected) => {
    expect(isMentioned(text, brand(name))).toBe(expected);
  });
});

describe('scripts without spaces', () => {
  test.each([
    ['トヨタ', 'トヨタは日本の企業です。', true],
    ['ソニー', 'ソニックブーム', false],
    ['アップル', 'アップルパイを食べる', false],
    ['Notion', 'Notionは便利です', true],
    ['華為', '我用華為手機。', true],
    ['华为', '我喜欢华为手机。', true],
    ['小米', '小米粥是一种早餐。', false],
    ['삼성', '삼성은 크다', true],
    ['삼성', '삼성에서 샀다', true],
    ['소니', '소니아는 가수다', false],
    ['바나', '가바나나', false],
  ])('%s in %s: %s', (name, text, expected) => {
    expect(isMentioned(text, brand(name))).toBe(expected);
  });
});

describe('domains', () => {
  const acme = brand('Acme Widgets', 'acme.com');
  test.each([
    ['see acme.com.', true],
    ['see www.acme.com/pricing', true],
    ['mail info@acme.com', true],
    ['blog.acme.com', true],
    ['https://acme.com/x', true],
    ['notacme.com', false],
    ['my-acme.com', false],
    ['acme.com.br', false],
    ['acme.community', false],
    ['https://news.example.org/acme.com-review', false],
    ['[read more](https://acme.com/x)', false],
    ['A fact ([acme.com](https://acme.com/x?utm_source=openai)).', false],
    ['A fact.[[1]](https://acme.com/x) [2](https://acme.com/y)', false],
    ['![chart](https://acme.com/chart.png)', false],
    ['Try [Acme Widgets](https://acme.com/x).', true],
    ['[1]: https://acme.com/x', false],
  ])('%s: %s', (text, expected) => {
    expect(isMentioned(text, acme)).toBe(expected);
  });

  test('a name before a country domain is a mention, before another ending it is not', () => {
    const amazon = brand('Amazon', 'amazon.com');
    expect(isMentioned('bei amazon.de bestellt', amazon)).toBe(true);
    expect(isMentioned('ordered from amazon.co.uk.', amazon)).toBe(true);
    expect(isMentioned('amazon.io', amazon)).toBe(false);
    expect(isMentioned('next.js', brand('Next', 'next.co.uk'))).toBe(false);
  });

  test('a domain in punycode is found in its Unicode form', () => {
    expect(isMentioned('auf bücher.example.de kaufen', brand('Unrelated', 'xn--bcher-kva.example.de'))).toBe(
      true,
    );
  });
});

describe('count and position', () => {
  test('counts occurrences without overlaps, including aliases', () => {
    const [acme] = find('Acme Corp and Acme. ACME CORP!', brand('Acme', 'acme.com', ['Acme Corp']));
    expect(acme).toMatchObject({ mentioned: true, mentionCount: 3, position: 1 });
  });

  test('ranks by first occurrence among the tracked brands, null if not mentioned', () => {
    const results = find('Beta, then Alpha, then Beta again.', brand('Alpha'), brand('Gamma'), brand('Beta'));
    expect(results.map(({ brandId, position }) => [brandId, position])).toEqual([
      ['Alpha', 2],
      ['Gamma', null],
      ['Beta', 1],
    ]);
  });
});

describe('cited', () => {
  const brands = [brand('Acme', 'acme.co.uk'), brand('Pages', 'acme.github.io'), brand('Other', 'github.io')];
  test('only by the registrable domain of cited sources; private suffixes are separate', () => {
    const sources = [
      { domain: 'acme.co.uk', cited: true },
      { domain: 'acme.github.io', cited: false },
    ];
    const results = extract({ answerText: 'Nothing.', sources, brands });
    expect(results.map((result) => [result.cited, result.mentioned])).toEqual([
      [true, false],
      [false, false],
      [false, false],
    ]);
  });
});

test("a brand that owns a public suffix is cited by its own pages, not by its customers'", () => {
  const citedBy = (domain: string) =>
    extract({
      answerText: '',
      sources: [{ domain, cited: true }],
      brands: [brand('Carrd', 'carrd.co'), brand('UK', 'www.gov.uk')],
    }).map(({ cited }) => cited);
  expect(citedBy('carrd.co')).toEqual([true, false]);
  expect(citedBy('acme.carrd.co')).toEqual([false, false]);
  expect(citedBy('gov.uk')).toEqual([false, true]);
});

describe('sentiment', () => {
  const acme = brand('Acme');
  const globex = brand('Globex');
  const tone = (text: string, ...brands: TrackedBrand[]): (number | null)[] =>
    find(text, ...brands).map((result) => result.sentiment);

  test('neutral is 50, not mentioned is null', () => {
    expect(tone('Acme opened an office in Oslo.', acme, globex)).toEqual([50, null]);
    expect(find(null, acme)[0]).toEqual({
      brandId: 'Acme',
      mentioned: false,
      mentionCount: 0,
      position: null,
      sentiment: null,
      cited: false,
      evidence: [],
    });
  });

  test('positive is above 50, negative below, both within the scale', () => {
    const [good] = tone('Acme is excellent and reliable.', acme);
    const [bad] = tone('Acme is awful and unreliable.', acme);
    expect(good).toBeGreaterThan(60);
    expect(bad).toBeLessThan(40);
    const [maximum] = tone(`Acme is ${'excellent '.repeat(500)}.`, acme);
    expect(maximum).toBeLessThanOrEqual(100);
  });

  test('a negation inverts the tone up to a comma', () => {
    expect(tone('Acme is not good.', acme)[0]).toBeLessThan(45);
    expect(tone("Acme isn't bad.", acme)[0]).toBeGreaterThan(55);
    expect(tone('Acme is not cheap, excellent though.', acme)[0]).toBeGreaterThan(50);
  });

  test('only sentences that name the brand count', () => {
    expect(tone('The market is terrible and awful. Acme has five offices.', acme)).toEqual([50]);
  });

  test('the tone of each clause of a contrast belongs to its own brand', () => {
    const [first, second] = tone('Acme is excellent, but Globex is terrible.', acme, globex);
    expect(first).toBeGreaterThan(60);
    expect(second).toBeLessThan(40);
  });

  test('words of a name have no tone', () => {
    expect(tone('Best Horror opened in May.', brand('Best Horror'))).toEqual([50]);
  });
});

test('50 brands are found in a long answer in one pass', () => {
  const brands = Array.from({ length: 50 }, (_, index) =>
    brand(`Maker${index}`, `maker${index}.example.com`, [`MK${index}`, `Maker ${index} Works`]),
  );
  const lines = brands.map((each) => `${each.name} is a good choice, many say. The market grows every year.`);
  const text = Array.from({ length: 8 }, () => lines.join('\n')).join('\n');
  const results = extract({ answerText: text, sources: [], brands });
  expect(text.length).toBeGreaterThan(25_000);
  expect(results.map((result) => result.position)).toEqual(brands.map((_, index) => index + 1));
  expect(new Set(results.map((result) => result.mentionCount))).toEqual(new Set([8]));
});
