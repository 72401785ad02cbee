import { describe, expect, test } from '@jest/globals';
import type { TrackedBrand } from '../names/tracked-brand.ts';
import { brandPassages } from './passages.ts';

function createBrand(name: string): TrackedBrand {
  return { id: name, name, domain: 'unrelated.example', aliases: [], isOwn: false };
}

/** The passages of each brand as "kind: text". */
function read(text: string, ...names: string[]): Record<string, string[]> {
  const found = brandPassages(text, names.map(createBrand));
  return Object.fromEntries(
    found.map(({ brand, passages }) => [
      names[brand] ?? '',
      passages.map((passage) => `${passage.kind}: ${passage.text}`),
    ]),
  );
}

describe('sentences', () => {
  test('a sentence that names a brand is its passage, another one is not', () => {
    expect(read('The market is terrible. Acme has five offices. Rain is expected.', 'Acme')).toEqual({
      Acme: ['own sentence: Acme has five offices.'],
    });
  });

  test.each([
    ['Many people say that Dr. Martens boots are excellent and durable.', 'Dr. Martens'],
    ['Try J. Crew for shirts that last.', 'J. Crew'],
    ['Yahoo! is outdated and cluttered.', 'Yahoo!'],
    ['We think A. O. Smith makes reliable heaters.', 'A. O. Smith'],
    ['Last year Yum! Brands opened 40 shops.', 'Yum! Brands'],
    ['St. Ives vs. Globex is a hard choice.', 'St. Ives'],
  ])('the mark of a name ends no sentence: %s', (text, name) => {
    expect(read(text, name)).toEqual({ [name]: [`own sentence: ${text}`] });
  });

  test('a name with a mark at the end of a sentence ends it if another brand follows', () => {
    expect(read('I use Yahoo! Globex is bad.', 'Yahoo!', 'Globex')).toEqual({
      'Yahoo!': ['own sentence: I use Yahoo!'],
      Globex: ['own sentence: Globex is bad.'],
    });
  });
});

describe('clauses', () => {
  test.each([
    ['Acme is excellent and Globex is terrible.', 'Acme is excellent', 'and Globex is terrible.'],
    ['Acme is cheap, Globex is dear.', 'Acme is cheap', 'Globex is dear.'],
    ['Acme has offices; Globex has none.', 'Acme has offices', 'Globex has none.'],
    ['Acme is loved but Globex is hated.', 'Acme is loved', 'but Globex is hated.'],
    ['While Acme is strong, Globex is weak.', 'While Acme is strong', 'Globex is weak.'],
    ['Acme ist günstig, Globex dagegen teuer.', 'Acme ist günstig', 'Globex dagegen teuer.'],
    ['Acmeは便利ですが、Globexは不便です。', 'Acmeは便利ですが', 'Globexは不便です。'],
  ])('each brand gets its own clause: %s', (text, acme, globex) => {
    expect(read(text, 'Acme', 'Globex')).toEqual({
      Acme: [`own sentence: ${acme}`],
      Globex: [`own sentence: ${globex}`],
    });
  });

  test.each([
    'Both Acme and Globex are excellent choices.',
    'People like Acme, Globex and others.',
    'Acme is better than Globex.',
    'Unlike Globex, Acme is reliable.',
    'Acme integrates with Globex.',
  ])('a list of names and a comparison stay whole: %s', (text) => {
    expect(read(text, 'Acme', 'Globex')).toEqual({
      Acme: [`own sentence: ${text}`],
      Globex: [`own sentence: ${text}`],
    });
  });
});

describe('layout', () => {
  test.each([
    ['headings', '### Acme\nPowerful.\n\n### Globex\nSlow.'],
    ['bold lines', '**Acme**\nPowerful.\n\n**Globex**\nSlow.'],
    ['bold lines with a colon', '**Acme:**\nPowerful.\n\n**Globex:**\nSlow.'],
    ['lines with a colon', 'Acme:\nPowerful.\n\nGlobex:\nSlow.'],
    ['lines that are a name', 'Acme\nPowerful.\n\nGlobex\nSlow.'],
    ['numbered names with a paragraph', '1. **Acme**\n\nPowerful.\n\n2. **Globex**\n\nSlow.'],
    ['numbered headings', '## 1. Acme – for teams\nPowerful.\n\n## 2. Globex\nSlow.'],
  ])('%s: the lines below belong to the brand', (_layout, text) => {
    const { Acme = [], Globex = [] } = read(text, 'Acme', 'Globex');
    expect(Acme.join('\n')).toContain('Powerful.');
    expect(Acme.join('\n')).not.toContain('Slow.');
    expect(Globex.join('\n')).toContain('Slow.');
    expect(Globex.join('\n')).not.toContain('Powerful.');
  });

  test('a heading of the same level without a brand ends the section, a deeper one does not', () => {
    const text = '## Acme\n### Price\nFrom $9.\n## Other news\nRain is expected.';
    expect(read(text, 'Acme')).toEqual({ Acme: ['own sentence: Acme', 'below heading: From $9.'] });
  });

  test('pros and cons stay in the section and keep their label', () => {
    const text = '**Acme**\n**Pros**\n- Fast\n**Cons**\n- Loud\n\nOverall, both are fine.';
    expect(read(text, 'Acme')).toEqual({
      Acme: ['own sentence: Acme', 'below heading: Pros: Fast\nCons: Loud'],
    });
  });

  test('a conclusion and a rule end the section', () => {
    expect(read('### Acme\nFast.\n\n---\nThe market is terrible.', 'Acme')).toEqual({
      Acme: ['own sentence: Acme', 'below heading: Fast.'],
    });
    expect(read('### Acme\nFast.\n\nIn summary, all are slow.', 'Acme')).toEqual({
      Acme: ['own sentence: Acme', 'below heading: Fast.'],
    });
  });

  test('the rest of a list item and its nested items belong to its brand', () => {
    const text = '- Acme is old. Prices are fair.\n  - Award-winning design\n- Globex\n  - Frequent outages';
    expect(read(text, 'Acme', 'Globex')).toEqual({
      Acme: ['own sentence: Acme is old.', 'list item: Prices are fair.\nAward-winning design'],
      Globex: ['own sentence: Globex', 'list item: Frequent outages'],
    });
  });

  test('a bullet written as an asterisk is a list item', () => {
    expect(
      read('*   **Acme:** Based in Oslo. Very reliable.\n*   **Globex:** Slow.', 'Acme', 'Globex'),
    ).toEqual({
      Acme: ['own sentence: Acme: Based in Oslo.', 'list item: Very reliable.'],
      Globex: ['own sentence: Globex: Slow.'],
    });
  });

  test('a paragraph after a list of names belongs to none of them', () => {
    expect(read('1. Acme\n2. Globex\n\nThe market is terrible.', 'Acme', 'Globex')).toEqual({
      Acme: ['own sentence: Acme'],
      Globex: ['own sentence: Globex'],
    });
  });

  test('the cells of a row and of a column belong to the brand, with the other header as a label', () => {
    const rows = '| Tool | Verdict |\n|---|---|\n| Acme | outstanding |\n| Globex | slow |';
    expect(read(rows, 'Acme', 'Globex')).toEqual({
      Acme: ['own sentence: Acme', 'table: Verdict: outstanding'],
      Globex: ['own sentence: Globex', 'table: Verdict: slow'],
    });
    const columns = '| | Acme | Globex |\n|---|---|---|\n| Ease of use | excellent | terrible |';
    expect(read(columns, 'Acme', 'Globex')).toEqual({
      Acme: ['own sentence: Acme', 'table: Ease of use: excellent'],
      Globex: ['own sentence: Globex', 'table: Ease of use: terrible'],
    });
  });

  test('a table without outer bars is read too', () => {
    expect(read('Name | Verdict\n--- | ---\nAcme | outstanding', 'Acme')).toEqual({
      Acme: ['own sentence: Acme', 'table: Verdict: outstanding'],
    });
  });
});

describe('pronouns', () => {
  test.each([
    ['Acme was founded in 2012. It is widely loved.', 'It is widely loved.'],
    ['Acme sells chairs. Their quality is poor.', 'Their quality is poor.'],
    ['Acme is a bank. Overall, the company is trusted.', 'Overall, the company is trusted.'],
    ['Acme is a bank. Many customers complain.', 'Many customers complain.'],
    ['Acme gibt es seit 1995. Es ist sehr beliebt.', 'Es ist sehr beliebt.'],
    ['Acme a été fondée en 2001. Elle est appréciée.', 'Elle est appréciée.'],
    ['Acme abrió en 2005. Es muy popular.', 'Es muy popular.'],
    ['Acme è nata nel 2004. È molto apprezzata.', 'È molto apprezzata.'],
    ['A Acme surgiu em 2004. Ela é muito elogiada.', 'Ela é muito elogiada.'],
    ['Acme is een bank uit Utrecht. Het bedrijf krijgt klachten.', 'Het bedrijf krijgt klachten.'],
    ['Acme powstał w 2004 roku. Jest bardzo ceniony.', 'Jest bardzo ceniony.'],
    ['Acme grundades 2004. Det är mycket uppskattat.', 'Det är mycket uppskattat.'],
    ['Acme er en bank fra Aarhus. Den er meget populær.', 'Den er meget populær.'],
    ['Acme on perustettu vuonna 2004. Se on luotettava.', 'Se on luotettava.'],
    ['Acmeは2004年に設立されました。同社は評価が高いです。', '同社は評価が高いです。'],
    ['Acme는 2004년에 설립되었습니다. 이 회사는 인기가 많습니다.', '이 회사는 인기가 많습니다.'],
    ['Acme成立于2004年。它很受欢迎。', '它很受欢迎。'],
    ['Acme didirikan pada tahun 2004. Perusahaan ini sangat populer.', 'Perusahaan ini sangat populer.'],
    ['Acme की स्थापना 2004 में हुई थी। यह बहुत लोकप्रिय है।', 'यह बहुत लोकप्रिय है।'],
  ])('%s', (text, sentence) => {
    expect(read(text, 'Acme').Acme?.at(-1)).toBe(`pronoun: ${sentence}`);
  });

  test('a sentence that starts otherwise, or names another brand, is not about the one before', () => {
    expect(read('Acme was sold in 2019. The market was terrible.', 'Acme').Acme).toHaveLength(1);
    expect(read('Acme is a bank. It lost to Globex.', 'Acme', 'Globex')).toEqual({
      Acme: ['own sentence: Acme is a bank.', 'pronoun: It lost to Globex.'],
      Globex: ['own sentence: It lost to Globex.'],
    });
    expect(read('Acme is a bank. It says Globex is slow.', 'Acme', 'Globex').Acme).toHaveLength(1);
  });

  test('after several brands, only a plural pronoun refers to them', () => {
    expect(read('Acme and Globex are banks. Both are slow.', 'Acme', 'Globex').Globex).toHaveLength(2);
    expect(read('Acme and Globex are banks. It is slow.', 'Acme', 'Globex').Globex).toHaveLength(1);
  });
});

describe('limits', () => {
  test('at most eight passages of about 500 characters for each brand', () => {
    const sentence = `${'X'.repeat(2_000)} Acme ${'y'.repeat(2_000)}. `;
    const [found] = brandPassages(`### Acme\n${sentence.repeat(50)}`, [createBrand('Acme')]);
    expect(found?.passages).toHaveLength(8);
    for (const { text } of found?.passages ?? []) expect(text.length).toBeLessThanOrEqual(510);
  });

  test('brands that are not named are left out, and no brand gives no passage', () => {
    expect(read('Acme is good.', 'Globex')).toEqual({});
    expect(brandPassages('Acme is good.', [])).toEqual([]);
  });

  test('a language without word lists still has the sentences that name the brand', () => {
    const text = 'Acme 2004 yılında İstanbul’da kuruldu ve çok güvenilir bir markadır.';
    expect(read(text, 'Acme')).toEqual({ Acme: [`own sentence: ${text}`] });
  });
});
