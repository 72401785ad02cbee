import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { extract } from '../extract.ts';
import { fold } from '../text/fold.ts';

const names = ["L'Oréal", 'Acme', 'トヨタ', '삼성', 'H&M', 'Zoho CRM', 'C³ AI'];
const brands = names.map((name, index) => ({
  id: name,
  name,
  domain: index === 1 ? 'acme.com' : `d${index}.example`,
  aliases: [],
  isOwn: false,
}));

function evidenceIn(text: string, id: string): string[] {
  const found = extract({ answerText: text, sources: [], brands }).find(({ brandId }) => brandId === id);
  const characters = Array.from(text);
  return found?.evidence.map(({ start, end }) => characters.slice(start, end).join('')) ?? [];
}

describe('evidence is the part of the original text that shows the name', () => {
  test.each([
    ['Acme', '😀 Acme, ACME and Acme, Acme', ['Acme', 'ACME', 'Acme']],
    ['Acme', 'by [Acme](https://acme.com/x) here', ['Acme']],
    ['Acme', 'by [Acme - the shop](https://acme.com/x)', ['Acme']],
    ['Acme', 'by [the shop | Acme](https://a.example) and [1](https://a.example) Acme', ['Acme', 'Acme']],
    [
      'Acme',
      'by [**Acme**][a] and <a href="https://a.example">Acme</a>\n[a]: https://a.example',
      ['Acme', 'Acme'],
    ],
    ['Acme', '**Ac**me and A\u200Bcme', ['Ac**me', 'A\u200Bcme']],
    ['Acme', 'Ａｃｍｅ²', ['Ａｃｍｅ']],
    ['Acme', 'see https://www.acme.com/a?b=c.', ['acme.com']],
    ['Acme', 'by \uE200entity\uE202["company","Acme","kettles"]\uE201.', ['Acme']],
    ["L'Oréal", '(ｶﾞ) L&#8217;Ore\u0301al &amp; co', ['L&#8217;Ore\u0301al']],
    ['H&M', '😀 H &amp; M', ['H &amp; M']],
    ['Zoho CRM', '**Zoho** CRM and *Zoho*\u00A0CRM', ['Zoho** CRM', 'Zoho*\u00A0CRM']],
    ['トヨタ', '（㈱）トヨタは、ﾄﾖﾀ', ['トヨタ', 'ﾄﾖﾀ']],
  ])('%s in %j', (name, text, expected) => {
    expect(evidenceIn(text, name)).toEqual(expected);
  });

  test('of a label with addresses of others, it is the label', () => {
    const monday = { id: '1', name: 'Monday.com', domain: 'monday.com', aliases: [], isOwn: false };
    const text = 'Use [monday.com, other.com](https://monday.com).';
    const [found] = extract({ answerText: text, sources: [], brands: [monday] });
    expect(found?.evidence).toEqual([{ start: 5, end: 26 }]);
  });

  test('two occurrences in one character are evidence once', () => {
    const brand = { id: '1', name: 'A', domain: 'a.example', aliases: ['C'], isOwn: false };
    const [found] = extract({ answerText: 'see ℀', sources: [], brands: [brand] });
    expect(found).toMatchObject({ mentionCount: 2, evidence: [{ start: 4, end: 5 }] });
  });
});

test('evidence of any text is sorted, within the text, and shows the name', () => {
  const written = fc.constantFrom(
    'Acme',
    'ACME',
    '**Ac**me',
    'A\u200Bcme',
    'Ａｃｍｅ',
    'acme.com',
    'https://acme.com/a',
    'L’Ore\u0301al',
    'L&#8217;Or&eacute;al',
    'トヨタ',
    'ﾄﾖﾀ',
    '삼성',
    'H&amp;M',
    'H & M',
    'Zoho*\u00A0*CRM',
    'Zoho  \t**CRM**',
    'C³ AI',
    'C3 AI',
  );
  const around = fc.constantFrom(
    ...Array.from(' \n[]()*_`|›€（😀\u00AD'),
    ...'e\u0301|. |&nbsp;|](https://x.example)|](https://x.example "t")| [1]|![|**|<b>|</b>|</a>|【4†s】|\\[|]('.split(
      '|',
    ),
    ...'<a href="https://x.example">|\uE200cite\uE202turn0|[a]: https://x.example|([acme.com](https://acme.com))'.split(
      '|',
    ),
    '\uE200entity\uE202["company","',
    '","kettles"]\uE201',
    '’s',
    '[a]',
    'ｶﾞ',
  );
  const piece = fc.oneof(
    { weight: 3, arbitrary: written },
    { weight: 5, arbitrary: around },
    fc.string({ unit: 'binary', maxLength: 4 }),
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 25 }), (pieces) => {
      const text = pieces.join('');
      const characters = Array.from(text);
      for (const { brandId, mentionCount, evidence } of extract({ answerText: text, sources: [], brands })) {
        expect(evidence.length > 0).toBe(mentionCount > 0);
        expect(evidence.length).toBeLessThanOrEqual(Math.min(3, mentionCount));
        let last = 0;
        for (const { start, end } of evidence) {
          expect(start).toBeGreaterThanOrEqual(last);
          expect(end).toBeGreaterThan(start);
          expect(end).toBeLessThanOrEqual(characters.length);
          last = end;
          const slice = characters.slice(start, end).join('');
          expect(isShown(slice, brandId)).toBe(true);
        }
      }
    }),
    { numRuns: 2000 },
  );
});

/** Whether the brand is found in a part of a text alone, or the part holds its letters in order. */
function isShown(part: string, id: string): boolean {
  const [found] = extract({
    answerText: part,
    sources: [],
    brands: brands.filter((brand) => brand.id === id),
  });
  if (found?.mentioned === true) return true;
  let rest = fold(part.normalize('NFKC')).text;
  for (const letter of fold(id.normalize('NFKC')).text) {
    if (!/[\p{L}\p{N}]/u.test(letter)) continue;
    const at = rest.indexOf(letter);
    if (at === -1) return false;
    rest = rest.slice(at + 1);
  }
  return true;
}
