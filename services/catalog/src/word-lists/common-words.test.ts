import { expect, test } from '@jest/globals';
import { defaultMarkets } from '@bv/contract';
import { foldWord, toLanguages } from '../domain/brand-warnings.ts';
import { createCommonWords } from './common-words.ts';

const commonWords = createCommonWords((error) => {
  throw error;
});
const findAll = async (languages: string[], words: string): Promise<Record<string, string | undefined>> => {
  const findLanguage = await commonWords.load(languages);
  return Object.fromEntries(words.split(' ').map((word) => [word, findLanguage(foldWord(word))]));
};
const allOf = (words: string, language: string | undefined) =>
  Object.fromEntries(words.split(' ').map((word) => [word, language]));

const languages = toLanguages(defaultMarkets);

test('brands that are English words, days, months or letters', async () => {
  const words =
    'Target Monday May X Zoom Box Continue Apple Shell Notion Slack Stripe Square Linear Gap Coach Puma Visa Orange Dove Bolt Ramp Gusto Loom Obsidian Mint Wise Staples Mango';
  expect(await findAll(languages, words)).toEqual(allOf(words, 'en'));
});

test.each([
  ['de', 'Brot Zeit Spiegel Welt Mein Für'],
  ['fr', 'Plus Maison Noir Rouge'],
  ['es', 'Vida Buen Luna'],
  ['it', 'Oggi Amico Gioia'],
  ['pt', 'Claro'],
  ['nl', 'Zus Morgen'],
  ['pl', 'Dom Rok'],
  ['sv', 'Bra'],
  ['da', 'Hjem'],
  ['nb', 'Hjem'],
  ['fi', 'Kone'],
  ['id', 'Rumah'],
  ['af', 'Vandag'],
  ['hi', 'आज'],
  ['ja', '今日'],
  ['ko', '사람'],
])('words of %s: %s', async (language, words) => {
  expect(await findAll([language], words)).toEqual(allOf(words, language));
});

test('brands that are no words in any of the languages, and names of people', async () => {
  const brands =
    'Google Microsoft Sony Nokia Samsung Toyota Ford BMW IBM Dell Adobe PayPal Disney Nike HubSpot Zoho Asana Trello Shopify Netflix Ikea Lidl Siemens Philips Vodafone Zalando Klarna Airbnb Nvidia Anthropic Figma Edeka Carrefour Lavazza Mercadona Itaú Orlen Volvo Emma Oscar Jasper';
  expect(await findAll(languages, brands)).toEqual(allOf(brands, undefined));
});

test('only the languages that are asked for; those without a list are left out', async () => {
  expect(await findAll(['en'], 'Brot Target')).toEqual({ Brot: undefined, Target: 'en' });
  expect(await findAll(['xx', 'constructor', 'de'], 'Brot')).toEqual({ Brot: 'de' });
});
