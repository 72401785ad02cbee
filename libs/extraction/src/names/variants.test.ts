import { describe, expect, test } from '@jest/globals';
import { extract } from '../extract.ts';

function isMentioned(name: string, text: string, domain = 'unrelated.example'): boolean {
  const brand = { id: name, name, domain, aliases: [], isOwn: false };
  return extract({ answerText: text, sources: [], brands: [brand] })[0]?.mentioned ?? false;
}

describe('a name counts without its legal form', () => {
  test.each([
    ['AZ Coatings LLC', 'by AZ Coatings.'],
    ['Harlow Tools', 'by Harlow Tools, Inc. and others'],
    ['Acme, Inc.', 'by Acme.'],
    ['Acme Holdings (Pty) Ltd', 'by Acme Holdings.'],
    ['Amazon.com, Inc.', 'by amazon.com'],
    ['Viessmann GmbH & Co. KG', 'by Viessmann'],
    ['Merck & Co.', 'by Merck'],
    ['Bosch AG', 'by Bosch'],
    ['Danone S.A.', 'by Danone'],
    ['Barilla S.p.A.', 'by Barilla'],
    ['Barilla SpA', 'by Barilla'],
    ['Officine Carraro S.r.l.', 'le Officine Carraro'],
    ['Construcciones Arribas S.L.', 'de Construcciones Arribas'],
    ['Cemex S.A.B. de C.V.', 'by Cemex S.A.B. de C.V.'],
    ['Bimbo S.A. de C.V.', 'by Bimbo'],
    ['Padaria Aurora Ltda.', 'a Padaria Aurora'],
    ['Kroon Fietsen B.V.', 'bij Kroon Fietsen'],
    ['Kalles Bygg AB', 'hos Kalles Bygg'],
    ['Vestergaard A/S', 'af Vestergaard'],
    ['Equinor ASA', 'av Equinor'],
    ['Kalliomäki Oy', 'Kalliomäki'],
    ['Maspex sp. z o.o.', 'Maspex'],
    ['Alza.cz a.s.', 'Alza.cz'],
    ['Kofola spol. s r.o.', 'Kofola'],
    ['Indofood Tbk', 'Indofood'],
    ['PT Indofood', 'Indofood'],
    ['Reliance Private Limited', 'by Reliance'],
    ['株式会社メルカリ', 'メルカリが手軽です。'],
    ['メルカリ株式会社', 'メルカリが手軽です。'],
    ['㈱メルカリ', 'メルカリが手軽です。'],
    ['小米有限公司', '我用小米手机。'],
    ['주식회사 카카오', '카카오는 크다'],
    ['(주)카카오', '카카오는 크다'],
    ['eBay Inc.', 'on eBay and Ebay'],
  ])('%s in %j', (name, text) => {
    expect(isMentioned(name, text)).toBe(true);
  });

  test('the rest of one or more words starts with a capital', () => {
    expect(isMentioned('Target Corporation', 'your target audience')).toBe(false);
    expect(isMentioned('Target Corporation', 'at Target or TARGET')).toBe(true);
    expect(isMentioned('Fresh Start Ltd', 'a fresh start')).toBe(false);
    expect(isMentioned('Target Corporation', 'the target corporation')).toBe(true);
  });

  test('a short rest is in capitals and in the domain', () => {
    expect(isMentioned('HP Inc', 'HP is the usual choice', 'hp.com')).toBe(true);
    expect(isMentioned('HP Inc', 'hp is the usual choice', 'hp.com')).toBe(false);
    expect(isMentioned('HP Inc', 'HP is the usual choice', 'printers.example')).toBe(false);
    expect(isMentioned('Box Inc', 'a Box of tools', 'box.com')).toBe(false);
    expect(isMentioned('It Ltd', 'IT departments', 'it.example')).toBe(false);
  });

  test('a word that is also part of a product is a legal form if the domain has the rest', () => {
    expect(isMentioned('Zalando SE', 'at Zalando', 'zalando.de')).toBe(true);
    expect(isMentioned('iPhone SE', 'the iPhone 15', 'apple.com')).toBe(false);
    expect(isMentioned('Honest Company', 'Honest reviews', 'unrelated.example')).toBe(false);
    expect(isMentioned('Bliss Spa', 'a day of Bliss')).toBe(false);
  });

  test('a name that is a legal form stays', () => {
    expect(isMentioned('Inc.', 'in Inc. magazine')).toBe(true);
    expect(isMentioned('Limited', 'Acme')).toBe(false);
  });
});

describe('"&" in a name', () => {
  test.each([
    ['Marks & Spencer', 'at Marks and Spencer', true],
    ['Marks and Spencer', 'at Marks & Spencer or M&S', true],
    ['Marks & Spencer', 'Wir kaufen gern bei Marks und Spencer ein, die Auswahl ist gut.', true],
    ['Marks & Spencer', 'Wir kaufen gern bei Marks and Spencer ein, die Auswahl ist gut.', true],
    ['Marks & Spencer', 'the food at Marks und Spencer is open until nine', false],
    ['Moët & Chandon', 'Une bouteille de Moët et Chandon fait toujours plaisir.', true],
    ['Ben & Jerry’s', 'Los helados de Ben y Jerrys se venden en todos los cines.', true],
    ['Dolce & Gabbana', 'I profumi di Dolce e Gabbana sono spesso in offerta online.', true],
    ['Kraft und Partner', 'Die Kanzlei Kraft & Partner hat viele Kunden in der Stadt.', true],
    ['Zadig & Voltaire', 'Dans *Zadig*, Voltaire raconte les aventures d’un jeune.', false],
    ['Johnson & Johnson', 'Andrew Johnson and Lyndon Johnson', false],
    ['B&', 'by B& here', true],
  ])('%s in %j: %s', (name, text, expected) => {
    expect(isMentioned(name, text)).toBe(expected);
  });
});

describe('spaces and hyphens', () => {
  test.each([
    ['DemandIQ', 'Demand IQ pricing starts low.', true],
    ['DemandIQ', 'the demand IQ of people', false],
    ['Open Hands', 'Tools include OpenHands and Factory.', true],
    ['Open Hands', 'by openhands', false],
    ['OpenHands', 'with open hands', false],
    ['OpenHands', 'Open hands are a sign of trust', false],
    ['OpenHands', '- **Open Hands**: an agent', true],
    ['WeWork', '## How We Work', false],
    ['HomeAway', 'A Home Away From Home\nis what guests want', false],
    ['T-Mobile', 'TMobile has improved', true],
    ['TMobile', 'T-Mobile has improved', true],
    ['Office365', 'in Office 365', true],
    ['AZCoatings', 'by AZ Coatings', true],
    ['Robinhood', 'the tale of Robin Hood', false],
    ['On It', 'OnIt', false],
    ['セブン-イレブン', '駅前のセブンイレブンなら、便利です。', true],
    ['ルイ・ヴィトン', 'ルイヴィトンのバッグと、ルイ ヴィトンの財布。', true],
    ['배달의민족', '배달의 민족 앱에서', true],
    ['배달의 민족', '배달의민족은 편리하다', true],
    ['당근마켓', '당근 마켓은 편리하다', true],
    ['토스', '토 스', false],
  ])('%s in %j: %s', (name, text, expected) => {
    expect(isMentioned(name, text)).toBe(expected);
  });
});

describe('marks and letters', () => {
  test.each([
    ['Müller', 'Mueller ist eine Drogeriekette.', true],
    ['Ørsted', 'built by Oersted', true],
    ['Åhléns', 'på Aahlens', true],
    ['Blue', 'a Blü lamp', false],
    ['Mueller', 'Müller ist eine Drogeriekette', true],
    ['Mueller', 'Muller', false],
    ['Blue', 'Blu', false],
    ['Dr. Martens', 'Dr Martens boots', true],
    ['Dr Martens', 'Dr. Martens boots', true],
    ['J.Crew', 'by J. Crew and J Crew', true],
    ['J. Crew', 'by J.Crew', true],
    ['J.P. Morgan', 'by JP Morgan', true],
    ['J.P. Morgan', 'by JPMorgan', true],
    ['A.P.C.', 'by APC', true],
    ['U.S. Bank', 'by US Bank', true],
    ['Disney+', 'on Disney Plus', true],
    ['Disney Plus', 'on Disney+', true],
    ['Disney+', 'on Disney', false],
    ['Levis', "Levi's jeans", true],
    ['Teams', "the team's goals", false],
    ['Teams', "Your Team's Goals", false],
    ['Mars', "a Mar's bar", false],
    ['The North Face', 'North Face jackets are warm', true],
    ['The North Face', 'on its north face', false],
    ['The Gap', 'Gap jeans', false],
    ['Ernst & Young', 'by Ernst + Young', true],
    ['Yum! Brands', 'Yum Brands owns KFC', true],
    ["McDonald's", 'McDonald&#8217;s and McDonald&#x2019;s fries', true],
    ['H&M', 'H&#38;M', true],
  ])('%s in %j: %s', (name, text, expected) => {
    expect(isMentioned(name, text)).toBe(expected);
  });
});

describe('a dot, the label of the domain, and the maker of a product', () => {
  test.each([
    ['Otterly.AI', 'otterly.ai', 'by OtterlyAI:', true],
    ['otterly.ai', 'otterly.ai', 'use Otterly AI here', true],
    ['Otterly.AI', 'otterly.ai', 'by Otterly', false],
    ['Booking.com', 'booking.com', 'reserve no Booking com desconto', false],
    ['J.Crew', 'jcrew.com', 'the jcrew', false],
    ['Peec AI', 'peec.ai', 'by Peec', false],
    ['Kindle to PDF', 'kindletopdf.com', 'kindletopdf — designed to convert', true],
    ['Kindle to PDF', 'unrelated.example', 'kindletopdf', false],
    ['Fly Me', 'flyme.com', 'flyme', false],
    ['Samsung Galaxy Ring', 'samsung.com', 'The Galaxy Ring is thin, buy it.', true],
    ['Samsung Galaxy Ring', 'samsung.com', "see Samsung's Galaxy Ring now", true],
    ['Samsung Galaxy Ring', 'rings.example', 'the Galaxy Ring is thin', false],
    ['Samsung Galaxy Ring', 'samsung.com', 'a galaxy ring is thin', false],
    ['Samsung Ring', 'samsung.com', 'the Ring is thin', false],
    ['Best Buy Geek Squad', 'bestbuy.com', 'the Geek Squad came', true],
    ['Salesforce Marketing Cloud', 'salesforce.com', 'use Adobe Marketing Cloud now', false],
    ['Salesforce Marketing Cloud', 'salesforce.com', 'use SAP Marketing Cloud now', false],
    ['Acme Tools Inc.', 'acme.com', 'the Tools Inc. of others', false],
  ])('%s (%s) in %j: %s', (name, domain, text, expected) => {
    expect(isMentioned(name, text, domain)).toBe(expected);
  });

  test('a name without its maker does not count if it names another brand too', () => {
    const count = (...brands: [name: string, domain: string][]) =>
      extract({
        answerText: 'the Marketing Cloud is here',
        sources: [],
        brands: brands.map(([name, domain]) => ({ id: name, name, domain, aliases: [], isOwn: false })),
      }).map(({ mentionCount }) => mentionCount);
    const salesforce: [string, string] = ['Salesforce Marketing Cloud', 'salesforce.com'];
    expect(count(salesforce)).toEqual([1]);
    expect(count(salesforce, ['Marketing Cloud', 'cloud.example'])).toEqual([0, 1]);
    expect(count(salesforce, ['Adobe Marketing Cloud', 'adobe.com'])).toEqual([0, 0]);
  });
});
