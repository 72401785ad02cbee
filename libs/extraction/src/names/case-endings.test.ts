import { describe, expect, test } from '@jest/globals';
import { extract } from '../extract.ts';
import { fold } from '../text/fold.ts';

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
  ['pl', 'Żywiec', 'Żywca Żywcem'],
  ['pl', 'Wedel', 'Wedla Wedlu'],
  ['pl', 'Tyskie', 'Tyskiego Tyskim'],
  ['pl', 'Poczta Polska', 'Poczcie|Polskiej Pocztę|Polską Poczty|Polskiej'],
  ['pl', 'Bank Millennium', 'Banku|Millennium Bankiem|Millennium'],
  ['cs', 'Česká spořitelna', 'České|spořitelně Českou|spořitelnu České|spořitelny'],
  ['cs', 'Komerční banka', 'Komerční|banky Komerční|bance'],
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
  ['fi', 'Sokos', 'Sokoksen Sokoksella'],
  ['fi', 'S-Pankki', 'S-Pankin S-Pankista'],
  ['fi', 'Kärkkäinen', 'Kärkkäisen Kärkkäiseltä'],
  ['fi', 'IKEA', 'IKEAn IKEAsta'],
  ['hu', 'Tesco', 'Tescóban Tescót'],
  ['hu', 'Lidl', 'Lidlben Lidllel'],
])('%s: %s', (language, name, forms) => {
  test.each(forms.split(' ').map((form) => form.replace('|', ' ')))('%s is the name', (form) => {
    expect(evidence(name, sentences[language]?.(form) ?? '')).toEqual([form]);
  });

  test('the same forms are other words in English', () => {
    for (const form of forms.split(' ').map((each) => each.replace('|', ' '))) {
      // Accents fold: "Teslą" is the name itself.
      const isName = fold(form).text === fold(name).text;
      expect(evidence(name, sentences['en']?.(form) ?? '')).toEqual(isName ? [form] : []);
    }
  });
});

test.each([
  ['pl', 'Biedronka', 'biedronce'],
  ['pl', 'Play', 'playlistę'],
  ['pl', 'Play', 'Playlistę'],
  ['pl', 'Tesla', 'Teslawa'],
  ['pl', 'Zara', 'Zarze'],
  ['pl', 'Bank Millennium', 'Banku|Pekao'],
  ['pl', 'Poczta Polska', 'Poczcie|polowej'],
  ['pl', 'Mango', 'Manga'],
  ['cs', 'Nova', 'novou'],
  ['cs', 'Alza', 'Alzheimer'],
  ['fi', 'Valio', 'Valioliiga'],
  ['fi', 'Elisa', 'elisan'],
  ['fi', 'Kone', 'Konehuone'],
  ['hu', 'Tesco', 'Tescoland'],
])('%s: %s is not in %s', (language, name, word) => {
  expect(evidence(name, sentences[language]?.(word.replace('|', ' ')) ?? '')).toEqual([]);
});
