import { expect, test } from '@jest/globals';
import { createProperty } from './operations/brands.ts';
import { zodToApiError } from './validation.ts';

function refuse(fields: object): string[] {
  const { error } = createProperty.body.safeParse({ name: 'A', domain: 'a.com', ...fields });
  if (error === undefined) return [];
  const details = zodToApiError(error).details as { path: string; code: string }[];
  return details.map(({ path, code }) => `${path}:${code}`);
}

const invisible = '\u200B \u00AD \uFE0F \u3164 \u115F \u2800 \u202E \u{E0041}'.split(' ');

test.each([...invisible, invisible.join(' ')])('%j is no name, alias or excluded phrase', (name) => {
  const codes = ['name', 'aliases.1', 'match.exclude.0'].map((path) => `${path}:invalid_format`);
  expect(refuse({ name, aliases: ['a', name], match: { exclude: [name] } })).toEqual(codes);
});

test.each(['A\u200B', '❤\uFE0F', '👩\u200D👧', '\u1100', '￦'])('%j is a name', (name) => {
  expect(refuse({ name, aliases: [name], match: { exclude: [name] } })).toEqual([]);
});
