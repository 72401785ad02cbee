import { describe, expect, test } from '@jest/globals';
import { nameKey } from './name-key.ts';
import { trackedAmong } from './tracked-among.ts';

test.each([
  ['OpenHands Inc.', 'Open Hands', 'Open-Hands', 'OPENHANDS'],
  ["McDonald's", 'McDonalds', 'McDonald’s'],
  ['Marks & Spencer', 'Marks and Spencer', 'Marks&Spencer plc', 'Marks + Spencer'],
  ['Müller', 'Mueller', 'Muller GmbH'],
  ['The North Face', 'North Face'],
  ['Otterly.AI', 'OtterlyAI', 'Otterly AI'],
  ['Disney+', 'Disney Plus'],
  ['株式会社トヨタ', 'トヨタ', 'ﾄﾖﾀ'],
  ['배달의민족', '배달의 민족'],
  ["L'Oréal", 'L’Oreal', 'LOREAL'],
])('%s and its spellings have one key', (...names) => {
  expect(new Set(names.map(nameKey)).size).toBe(1);
});

test('different names have different keys', () => {
  const names = ['C', 'C++', 'C#', 'A B', 'AB', 'Noel', 'Nol', 'Zoho', 'Zoho CRM', 'H&M'];
  expect(new Set(names.map(nameKey)).size).toBe(names.length);
  expect(nameKey('– !')).toBe('');
});

describe('tracked names', () => {
  const brand = (name: string, aliases: string[] = []) => ({
    id: name,
    name,
    domain: 'brand.example',
    aliases,
    isOwn: false,
  });

  test.each(['Acme', 'ACME', 'Acme Cloud', 'Neo-Acme', 'Acme, Inc.', 'Open Hands', 'The OpenHands'])(
    '%s is one',
    (name) => {
      const brands = [brand('Acme'), brand('Other', ['OpenHands'])];
      expect([...trackedAmong(['Zoho', name, 'Acmeville'], brands)]).toEqual([name]);
    },
  );

  test('rules of a brand do not make its name another one', () => {
    const match = { caseSensitive: true, exclude: ['Target audience'], verify: true };
    const brands = [{ ...brand('Target'), match }];
    expect([...trackedAmong(['TARGET', 'Target audience'], brands)]).toEqual(['TARGET', 'Target audience']);
  });
});
