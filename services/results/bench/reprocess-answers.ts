import { extract, type TrackedBrand } from '@bv/extraction';
import { toBrandId } from './generate.ts';

const competitorCount = 20;
/** Distinct answers. Nothing in the service remembers an answer by its text, so repeated texts cost the same. */
const answerCount = 500;
const names = [
  'Northwind Traders',
  'Acme Tools',
  'Bluestone',
  'Cobalt & Sons',
  'Drumlin',
  'Evergreen Works',
  'Fennel Labs',
  'Granite Peak',
  'Harbourline',
  'Ironbark',
  'Juniper House',
  'Kestrel',
  'Larkspur',
  'Meridian Supply',
  'Nettlefold',
  'Oakmoss',
  'Palisade',
  'Quarrystone',
  'Redwood Depot',
  'Saltmarsh',
  'Thistledown',
];
/** The answers also call the own brand by this name, which is no alias of it at first. */
export const addedAlias = 'NWT';
/** A further name, for a second run. */
export const secondAlias = 'Northwind Group';

export const brands: TrackedBrand[] = names.slice(0, competitorCount + 1).map((name, index) => ({
  id: toBrandId(900_000 + index),
  name,
  domain: `${name.toLowerCase().replaceAll(/[^a-z]+/g, '-')}.com`,
  aliases: [],
  isOwn: index === 0,
}));

const praise = [
  'is a reliable choice for small teams, and its support answers within an hour',
  'has the widest range, but delivery is slow in winter',
  'is expensive compared with the others on this list',
  'offers a warranty of ten years and free returns',
  'is hard to reach by phone, and several buyers complain about damaged parcels',
  'is often recommended by professionals for its precise fit',
  'has improved its quality a lot, although the manual is still poor',
];
const filler = [
  'Compare the price, the contract and the reviews of other people before you decide.',
  'Prices differ by region, and most shops offer a discount for larger orders.',
  'Ask for a sample first: colours on a screen are rarely what arrives.',
];

/** A number below `size` that looks random, the same in every run. */
const pick = (seed: number, size: number): number => ((seed * 2_654_435_761) >>> 0) % size;

/** An answer of about 3 KB: an introduction, a list of twelve brands with two sentences each, and a conclusion. */
function createText(index: number): string {
  const own = [names[0], addedAlias, secondAlias][pick(index, 8)] ?? names[pick(index, names.length)];
  const items = Array.from({ length: 12 }, (_, place) => {
    const seed = index * 31 + place;
    const name = place === 4 ? own : names[1 + pick(seed, names.length - 1)];
    return `${place + 1}. **${name}** ${praise[pick(seed, praise.length)]}. ${filler[pick(seed + 7, filler.length)]}`;
  });
  const introduction = `There are several good options. ${filler.join(' ')}`;
  return `${introduction}\n\n${items.join('\n\n')}\n\nIn short: ${own} ${praise[pick(index, praise.length)]}. ${filler.join(' ')}`;
}

/** Answers with the result of every brand in them, as a scan with the first identity stored it. */
export function createAnswers() {
  return Array.from({ length: answerCount }, (_, index) => {
    const text = createText(index);
    const sources = [0, 1, 2].map((place) => ({
      position: place + 1,
      url: `https://site-${pick(index + place, 300)}.com/page-${pick(index * 3 + place, 40)}`,
      domain: `site-${pick(index + place, 300)}.com`,
      cited: true,
    }));
    return { answer: index, text, sources, found: extract({ answerText: text, sources, brands }) };
  });
}
export type Answer = ReturnType<typeof createAnswers>[number];
