import { describe, expect, test } from '@jest/globals';
import { extract } from './extract.ts';

function evidence(name: string, text: string): string[] {
  const brand = { id: name, name, domain: 'unrelated.example', aliases: [], isOwn: false };
  const [found] = extract({ answerText: text, sources: [], brands: [brand] });
  return found?.evidence.map(({ start, end }) => text.slice(start, end)) ?? [];
}

/** A sentence of each language with one word in it. */
const sentences: Record<string, (word: string) => string> = {
  pl: (word) => `Wczoraj kupiliśmy to taniej w sklepie ${word}, ponieważ był bardzo blisko.`,
  cs: (word) => `Včera jsme to koupili levněji v obchodě ${word}, protože byl velmi blízko.`,
  fi: (word) => `Eilen ostimme sen halvemmalla ${word}, koska kauppa oli hyvin lähellä meitä.`,
  hu: (word) => `Tegnap olcsóbban vettük meg ${word}, mert a bolt nagyon közel volt hozzánk.`,
  en: (word) => `Yesterday we bought it at ${word} because the shop was very close to us.`,
};

describe.each([
  ['pl', 'Biedronka', 'Biedronki Biedronce Biedronkę Biedronką'],
  ['pl', 'Żabka', 'Żabce Żabki Żabką'],
  ['pl', 'Lidl', 'Lidla Lidlu Lidlem Lidlowi'],
  ['pl', 'Tesla', 'Tesli Teslę Teslą'],
  ['pl', 'Toyota', 'Toyocie Toyoty Toyotę'],
  ['pl', 'Škoda', 'Škodzie Škodę Škodą'],
  ['pl', 'Kaufland', 'Kauflandzie Kauflandu Kauflandem'],
  ['pl', 'Microsoft', 'Microsofcie Microsoftu'],
  ['pl', 'InPost', 'InPoście InPostu InPostem'],
  ['pl', 'Carrefour', 'Carrefourze Carrefoura'],
  ['pl', 'Rossmann', 'Rossmannie Rossmanna'],
  ['pl', 'mBank', 'mBanku mBankiem'],
  ['pl', 'Media Expert', 'Media|Expertu Media|Expercie'],
  ['pl', 'Nokia', 'Nokii Nokię'],
  ['pl', 'Netflix', 'Netfliksa Netflixa'],
  ['pl', 'Maspex sp. z o.o.', 'Maspexu'],
  ['cs', 'Škoda', 'Škody Škodě Škodu Škodou'],
  ['cs', 'Kofola', 'Kofolu Kofole Kofoly'],
  ['cs', 'Kaufland', 'Kauflandu Kauflandem'],
  ['cs', 'Sazka', 'Sazce Sazku'],
  ['fi', 'Nokia', 'Nokian Nokialla Nokiaan Nokiaa'],
  ['fi', 'Lidl', 'Lidlin Lidlissä Lidliin'],
  ['fi', 'Elisa', 'Elisalla Elisan'],
  ['fi', 'Marimekko', 'Marimekon Marimekolta Marimekkoon'],
  ['fi', 'Neste', 'Nesteen Nesteellä Nestettä'],
  ['fi', 'Veikkaus', 'Veikkauksen Veikkaukselta'],
  ['fi', 'IKEA', 'IKEAn IKEAsta'],
  ['hu', 'Tesco', 'Tescóban Tescót'],
  ['hu', 'Lidl', 'Lidlben Lidllel'],
])('%s: %s', (language, name, forms) => {
  test.each(forms.split(' ').map((form) => form.replace('|', ' ')))('%s is the name', (form) => {
    expect(evidence(name, sentences[language]?.(form) ?? '')).toEqual([form]);
  });

  test('the same forms are other words in English', () => {
    for (const form of forms.split(' '))
      expect(evidence(name, sentences['en']?.(form.replace('|', ' ')) ?? '')).toEqual(
        // Accents fold: these are the name itself.
        /[ąã]$/.test(form) ? [form] : [],
      );
  });
});

test.each([
  ['pl', 'Biedronka', 'biedronce'],
  ['pl', 'Play', 'playlistę'],
  ['pl', 'Play', 'Playlistę'],
  ['pl', 'Tesla', 'Teslawa'],
  ['pl', 'Zara', 'Zarze'],
  ['pl', 'Mango', 'Manga'],
  ['cs', 'Nova', 'novou'],
  ['cs', 'Alza', 'Alzheimer'],
  ['fi', 'Valio', 'Valioliiga'],
  ['fi', 'Elisa', 'elisan'],
  ['fi', 'Kone', 'Konehuone'],
  ['hu', 'Tesco', 'Tescoland'],
])('%s: %s is not in %s', (language, name, word) => {
  expect(evidence(name, sentences[language]?.(word) ?? '')).toEqual([]);
});
