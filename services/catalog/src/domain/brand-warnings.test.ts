import { describe, expect, test } from '@jest/globals';
import { defaultMatchRules, defaultMarkets } from '@bv/contract';
import { findBrandWarnings, foldWord, toLanguages } from './brand-warnings.ts';

const findLanguage = (word: string): string | undefined => ({ target: 'en', wort: 'de', fur: 'de' })[word];
const warn = (name: string, aliases: string[] = [], rules: object = {}) =>
  findBrandWarnings({ name, aliases, match: { ...defaultMatchRules, ...rules } }, findLanguage);

describe('warnings', () => {
  test('of the name and of each alias that is an ordinary word, in any case and with accents', () => {
    expect(warn('TARGET', ['Acme', 'Für', 'wort'])).toEqual([
      {
        code: 'common_word',
        field: 'name',
        value: 'TARGET',
        language: 'en',
        message: expect.stringContaining('"TARGET" is an ordinary word in English. Set match.case_sensitive'),
      },
      expect.objectContaining({ field: 'aliases', value: 'Für', language: 'de' }),
      expect.objectContaining({ field: 'aliases', value: 'wort', language: 'de' }),
    ]);
  });

  test.each(['Target Corporation', 'target.com', 'Target\u3000X', 'Acme'])('none of %s', (name) => {
    expect(warn(name)).toEqual([]);
  });

  test.each([{ case_sensitive: true }, { verify: true }, { exclude: ['target audience'] }])(
    'none with %j',
    (rules) => {
      expect(warn('Target', ['target'], rules)).toEqual([]);
    },
  );
});

test('words are folded: case, width and accents', () => {
  expect(['ÉTÉ', 'Ｔａｒｇｅｔ', 'İ', 'か', 'が'].map(foldWord)).toEqual([
    'ete',
    'target',
    'i',
    'か',
    'か\u3099',
  ]);
});

test('languages of markets: English first, several for some countries', () => {
  expect(toLanguages([])).toEqual(['en']);
  expect(toLanguages(['CH', 'AT', 'US'])).toEqual(['en', 'de', 'fr', 'it']);
  expect(toLanguages(defaultMarkets)).toEqual(
    'en af da de es fi fil fr hi id it ja ko nb nl pl pt sv'.split(' '),
  );
});
