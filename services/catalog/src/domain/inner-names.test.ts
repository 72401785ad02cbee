import { expect, test } from '@jest/globals';
import { findInnerNames } from './inner-names.ts';

const find = (...brands: [name: string, ...aliases: string[]][]) => {
  const found = findInnerNames(brands.map(([name, ...aliases], id) => ({ id: String(id), name, aliases })));
  return [...found].flatMap(([id, each]) => each.map(({ field, value }) => `${id} ${field} ${value}`));
};

test('a name or alias that is a part of a longer name of another brand, with that brand', () => {
  const brands = [
    { id: 'a', name: 'Coop', aliases: ['KF'] },
    { id: 'b', name: '365discount', aliases: ['Coop 365', 'Big Coop 365'] },
  ];
  const message =
    '"Coop" stands inside "Coop 365", a name of 365discount. An answer that says "Coop 365" does not mention this brand. If it should, add "Coop 365" as an alias.';
  const warning = {
    code: 'inside_other_name',
    field: 'name',
    value: 'Coop',
    language: 'und',
    other_brand_id: 'b',
    message,
  };
  expect([...findInnerNames(brands)]).toEqual([
    ['a', [warning]],
    ['b', []],
  ]);
});

test.each<[why: string, brands: Parameters<typeof find>, found: string[]]>([
  ['any case, accents and marks', [['Müller'], ["MULLER-Lamp's"]], ['0 name Müller']],
  [
    'at any place, in aliases too',
    [['Cloud', 'Acme'], ['My Acme Cloud Pro']],
    ['0 name Cloud', '0 aliases Acme'],
  ],
  ['without spaces', [['楽天'], ['楽天モバイル']], ['0 name 楽天']],
  ['not a part of a word', [['Acme'], ['Acmeology']], []],
  ['not an equal name', [['Acme'], ['ACME']], []],
  ['not a longer name of the same brand', [['Acme', 'Acme Cloud'], ['Globex']], []],
  ['not if it has the longer name too', [['Acme', 'acme cloud'], ['Acme Cloud']], []],
])('%s', (_why, brands, found) => {
  expect(find(...brands)).toEqual(found);
});

test('every name of brands with the longest and most names is compared with a bounded number of parts', () => {
  const brands = Array.from({ length: 251 }, (_, id) => {
    const aliases = Array.from({ length: 20 }, (__, name) => `${'a '.repeat(95)}${id} ${name}`);
    return { id: String(id), name: 'a', aliases };
  });
  const start = performance.now();
  expect([...findInnerNames(brands).values()].map((each) => each.length)).toEqual(brands.map(() => 1));
  expect(performance.now() - start).toBeLessThan(5_000);
});
