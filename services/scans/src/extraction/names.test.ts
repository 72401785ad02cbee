import { describe, expect, test } from '@jest/globals';
import { extract } from './extract.ts';

function isMentioned(name: string, text: string, domain = 'unrelated.example'): boolean {
  const brand = { id: name, name, domain, aliases: [], isOwn: false };
  return extract({ answerText: text, sources: [], brands: [brand] })[0]?.mentioned ?? false;
}

describe('names with signs that a text loses', () => {
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
  ])('%s in %j: %s', (name, text, expected) => {
    expect(isMentioned(name, text)).toBe(expected);
  });
});
