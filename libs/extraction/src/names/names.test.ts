import { describe, expect, test } from '@jest/globals';
import { extract } from '../extract.ts';

function isMentioned(name: string, text: string, domain = 'unrelated.example'): boolean {
  const brand = { id: name, name, domain, aliases: [], isOwn: false };
  return extract({ answerText: text, sources: [], brands: [brand] })[0]?.mentioned ?? false;
}

describe('names with characters that are removed from a text', () => {
  test.each([
    ['Acme®', 'Acme is here, and Acme® too.', true],
    ['Acme™', 'by ACME™.', true],
    ['Acme ©', 'by Acme.', true],
    ['Acme℠ Cloud', 'Acme Cloud', true],
    ['Kellogg’s®', "Kellogg's cereals", true],
    ['Kellogg’s®', 'Kellogg’s® cereals', true],
    ['C³ AI', 'C³ AI is here', true],
    ['C³ AI', 'C3 AI is here', true],
    ['C3 AI', 'C³ AI is here', true],
    ['C³', 'C³, they say', true],
    ['C³ AI', 'C AI', false],
    ['Nº5', 'the scent Nº5', true],
    ['Nº5', 'the scent No5', true],
    ['H2O', 'H₂O is water', true],
    ['H₂O', 'H2O is water', true],
    ['Co', 'CO₂ in the air', false],
    ['Acme²', 'by Acme² and Acme2', true],
    ['Acme²', 'by Acme', false],
    ['Acme', 'Acme²は便利です', true],
    ['Acme*', 'Acme* search', true],
    ['`Acme`', 'by Acme', true],
    ['A*', 'a search', false],
    ['Acme\u200B', 'by Acme', true],
    ['®', 'by Acme®', false],
    ['*', 'by * Acme', false],
    ['M3', '5 m³/h', false],
    ['R2', 'an R² of 0.9', false],
    ['No', 'Nº 5', false],
    ['Ma', 'Mª Teresa', false],
  ])('%s in %j: %s', (name, text, expected) => {
    expect(isMentioned(name, text)).toBe(expected);
  });
});

describe('angle brackets', () => {
  test.each([
    ['Visit <https://acme.com> now', true],
    ['Visit <https://acme.com/a?b=c> now', true],
    ['Visit <acme.com> now', true],
    ['Visit <www.acme.com> now', true],
    ['Write to <sales@acme.com>', true],
    ['Write to <mailto:sales@acme.com>', true],
    ['<a href="https://acme.com/x" rel="nofollow">here</a>', false],
    ['<img alt="" src="//acme.com/x.png"/>', false],
    ['<svg/onload="acme.com">', false],
    ['line<br>break<br/>and<br />again</p >', false],
  ])('%s: %s', (text, expected) => {
    expect(isMentioned('Unrelated', text, 'acme.com')).toBe(expected);
  });

  test('attributes of a tag are not visible, with or without a value', () => {
    expect(isMentioned('Open', '<details open>x</details>')).toBe(false);
    expect(isMentioned('Video', '<video controls muted src="a">')).toBe(false);
    expect(isMentioned('Input', '<input disabled />')).toBe(false);
  });

  test('a comparison is not a tag, and a tag is not a space in a name', () => {
    expect(isMentioned('Acme', 'price <b and Acme > c')).toBe(true);
    expect(isMentioned('br', 'line<br>break<br/>and<br />again</br >')).toBe(false);
    expect(isMentioned('Strong', '<strong>Acme</strong> and <span class="strong">Globex</span>')).toBe(false);
  });
});

describe('a letter that folds to two', () => {
  test.each([
    ['Esop', 'Æsop is a company', false],
    ['Æsop', 'Aesop is a company', true],
    ['Aesop', 'Æsop is a company', true],
    ['Hor', 'Þor', false],
    ['Thor', 'Þor', true],
    ['Ca', 'Cæ', false],
    ['Gros', 'Groß', false],
    ['Gross', 'Groß', true],
  ])('%s in %j: %s', (name, text, expected) => {
    expect(isMentioned(name, text)).toBe(expected);
  });
});

test.each([
  ["McDonald's", 'McDonald´s fries'],
  ['McDonald´s', 'McDonald’s fries'],
  ['McDonald´s', 'McDonalds fries'],
  ['Tesla', 'Tesla´s cars'],
])('an accent instead of an apostrophe: %s in %s', (name, text) => {
  expect(isMentioned(name, text)).toBe(true);
});

describe('short names next to a hyphen', () => {
  test.each([
    ['VW', 'Der VW-Konzern wächst.', true],
    ['VW', 'Ein Nicht-VW steht dort.', true],
    ['VW', 'ein vw-motor', false],
    ['HP', 'ein HP‑Laptop', true],
    ['LG', 'LG-Fernseher', true],
    ['NS', 'Veel NS-reizigers wachten.', true],
    ['3M', '3M-Produkte', true],
    ['1&1', '1&1-Kunden', true],
    ['O2', 'o2-Tarife und O2-Tarife', true],
    ['On', 'on-site, On-site and ON-SITE', false],
    ['Co', 'a co-founder', false],
    ['X', 'an X-ray', false],
    ['HP', 'HP&Co', false],
    ['99', '90-99 years', false],
    ['19', 'Covid-19', false],
    ['K2', 'K2-18b', false],
    ['UP', 'UP-TO-DATE', false],
    ['A1', 'DIN-A1', false],
  ])('%s in %j: %s', (name, text, expected) => {
    expect(isMentioned(name, text)).toBe(expected);
  });

  test('capitals in any of the names are sufficient', () => {
    const brand = { id: '1', name: 'HP', domain: 'unrelated.example', aliases: ['Hp'], isOwn: false };
    const found = extract({ answerText: 'ein HP-Laptop', sources: [], brands: [brand] });
    expect(found[0]?.mentioned).toBe(true);
  });
});
