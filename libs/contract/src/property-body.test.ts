import { expect, test } from '@jest/globals';
import { createProperty } from './index.ts';

const problems = (fields: object): string[] => {
  const { error } = createProperty.body.safeParse({ name: 'Acme', domain: 'a.com', ...fields });
  return (error?.issues ?? []).map(({ path, code }) => `${path.join('.')}:${code}`);
};

test.each<[object, string]>([
  [{ name: 'x'.repeat(201) }, 'name:too_big'],
  [{ name: '   ' }, 'name:too_small'],
  [{ name: null }, 'name:invalid_type'],
  [{ name: 'a\u0000b' }, 'name:invalid_format'],
  [{ name: 'a\ud800b' }, 'name:invalid_format'],
  [{ aliases: ['\u200b'] }, 'aliases.0:invalid_format'],
  [{ aliases: Array.from({ length: 21 }, String) }, 'aliases:too_big'],
  [{ external_ref: 'x'.repeat(256) }, 'external_ref:too_big'],
  [{ external_ref: '' }, 'external_ref:too_small'],
  [{ external_ref: 'a\nb' }, 'external_ref:invalid_format'],
  [{ geography: 'x'.repeat(101) }, 'geography:too_big'],
  [{ markets: Array.from({ length: 30 }, () => 'US') }, 'markets:too_big'],
  [{ markets: ['USA'] }, 'markets.0:invalid_format'],
  [{ competitors: Array(51).fill({ name: 'a', domain: 'a.com' }) }, 'competitors:too_big'],
  [{ match: [] }, 'match:invalid_type'],
  [{ match: { exclude: ['x'.repeat(101)] } }, 'match.exclude.0:too_big'],
])('a property with %j is refused with %s', (fields, problem) => {
  expect(problems({ name: '😀'.repeat(200) })).toEqual([]);
  expect(problems(fields)).toEqual([problem]);
});
