import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { nameKey } from '../names/name-key.ts';
import { removeCitationMarks } from '../text/citation-marks.ts';
import { EditedText } from '../text/edited-text.ts';
import { findPresentedNames } from './presented-names.ts';

const find = (text: string, language = 'en') =>
  findPresentedNames({
    text,
    cited: removeCitationMarks(new EditedText(text)),
    language,
    sources: [],
    brands: [],
    tracked: [],
  });

test('names of any text are within it, in order, one a key, and at most 50', () => {
  const written = fc.constantFrom(
    'HubSpot',
    'Zoho CRM',
    'Müller GmbH',
    '楽天銀行',
    '배달의민족',
    'H&amp;M',
    '\uE200entity\uE202["company","Acme","tools"]\uE201',
  );
  const marks = fc.constantFrom(
    ...'\n|\n- |\n1. |\n  * |\n## |**|__|: | – |, | and | / |(|)|[|](https://acme.com)|😀|™|\n|---|\n'.split(
      '|',
    ),
    '| ',
    ' |\n|---|---|\n',
  );
  const piece = fc.oneof(written, marks, fc.string({ unit: 'binary', maxLength: 4 }));
  fc.assert(
    fc.property(
      fc.array(piece, { maxLength: 40 }),
      fc.constantFrom('en', 'de', 'ja', 'ko'),
      (pieces, language) => {
        const text = pieces.join('');
        const characters = Array.from(text);
        const names = find(text, language);
        expect(names.length).toBeLessThanOrEqual(50);
        expect(new Set(names.map(({ key }) => key)).size).toBe(names.length);
        let last = 0;
        for (const { name, key, start, end } of names) {
          expect(start).toBeGreaterThanOrEqual(last);
          expect(end).toBeGreaterThan(start);
          expect(end).toBeLessThanOrEqual(characters.length);
          expect(key).toBe(nameKey(name));
          last = start;
        }
      },
    ),
    { numRuns: 1_000 },
  );
});

describe('a megabyte of', () => {
  const megabyte = 1_000_000;
  const limitMs = 2_000;
  test.each([
    '*',
    '**',
    '|',
    '| a ',
    '[',
    '[a](',
    '](',
    '(',
    ': A, ',
    '- ',
    '- A: ',
    '\n',
    '\n- A\n',
    '#',
    '\n|',
    ' ',
    '1. ',
  ])('%j is read quickly', (part) => {
    const text = part.repeat(megabyte / part.length);
    const start = process.cpuUsage();
    find(text);
    const { user, system } = process.cpuUsage(start);
    expect((user + system) / 1_000).toBeLessThan(limitMs);
  });
});
