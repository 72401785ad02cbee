import { fold } from './fold.ts';

/** A stem of a name, and the folded endings that may follow it. */
export type Stem = { text: string; endings: ReadonlySet<string> };

/** The end of a name, and the stems it becomes with their endings. `$1` and `$2` are groups of the end. */
type Declension = readonly [end: RegExp, stems: Readonly<Record<string, string>>];

// Endings are folded: "Teslą" reads as "tesla", which is the name itself.
const polishFeminine = 'y i e o om ami ach';
const polishMasculine = 'a u owi em e y i ow om ami ach';
/** The consonant changes in the locative: "Biedronka, Biedronce", "Microsoft, Microsofcie". */
const polish: Declension[] = [
  [/ka$/, { k: polishFeminine, c: 'e' }],
  [/ga$/, { g: polishFeminine, dz: 'e' }],
  [/cha$/, { ch: polishFeminine, sz: 'e' }],
  [/ra$/, { r: polishFeminine, rz: 'e' }],
  [/ta$/, { t: polishFeminine, c: 'ie' }],
  [/da$/, { d: polishFeminine, dz: 'ie' }],
  [/([^aeiouy])a$/, { $1: `${polishFeminine} ie` }],
  [/([aeiouy])a$/, { $1: polishFeminine }],
  [/([kg])$/, { $1: `${polishMasculine} iem` }],
  [/t$/, { t: polishMasculine, c: 'ie' }],
  [/d$/, { d: polishMasculine, dz: 'ie' }],
  [/r$/, { r: polishMasculine, rz: 'e' }],
  [/x$/, { x: polishMasculine, ks: polishMasculine }],
  [/([^aeiouy])$/, { $1: `${polishMasculine} ie` }],
];

const czechFeminine = 'y i e u o ou am ami ach';
const czechMasculine = 'u a e em ovi y i um ech ich';
const czech: Declension[] = [
  [/ka$/, { k: czechFeminine, c: 'e' }],
  [/([gh])a$/, { $1: czechFeminine, z: 'e' }],
  [/([^aeiouy])a$/, { $1: czechFeminine }],
  [/([^aeiouy])$/, { $1: czechMasculine }],
  [/([^aeiouy])o$/, { $1: 'a u em' }],
];

const finnishWeak = 'n ssa sta lla lta lle ksi t';
const finnishCases = `${finnishWeak} a ta na tta seen`;
const finnishAfterI = `${finnishCases.replaceAll(/(?=\b\p{L})/gu, 'i')} iin`;
const finnish: Declension[] = [
  // A double consonant becomes single: "Marimekko, Marimekon". The last vowel is long in "Marimekkoon".
  [/([kpt])\1([aiouy])$/, { $1$2: finnishWeak, $1$1$2: `${finnishCases} $2n` }],
  [/nen$/, { se: finnishWeak, s: 'ta' }],
  // "Neste, Nesteen", but "Nike, Niken".
  [/e$/, { e: `${finnishCases} en ${finnishWeak.replaceAll(/(?=\b\p{L})/gu, 'e')} eseen` }],
  [/([aiouy])$/, { $1: `${finnishCases} $1n` }],
  [/([uy])s$/, { $1kse: finnishWeak, $1s: `${finnishAfterI} ta` }],
  [/([^aeiouy])$/, { $1: finnishAfterI }],
];

const hungarianCases =
  'ban ben ba be bol n ra re rol nak nek nal nel tol hoz hez val vel t ert ig kent e k je ja';
const hungarian: Declension[] = [
  [/([aeiouy])$/, { $1: hungarianCases }],
  // The consonant doubles in "Lidllel".
  [/([^aeiouy])$/, { $1: `${hungarianCases} on en ot et at ok ek $1al $1el` }],
];

const declensionsByLanguage: Record<string, Declension[]> = {
  pl: polish,
  cs: czech,
  fi: finnish,
  hu: hungarian,
};

export const declinedLanguages: ReadonlySet<string> = new Set(Object.keys(declensionsByLanguage));

const minStem = 4;
/** The last word of a name is declined. Other scripts and words with digits are not. */
const lastWord = /(?<![\p{L}\p{N}\p{M}])[a-z]{3,40}$/u;

/** The stems of a name in a language with case endings: "Biedronk" and "Biedronc" of "Biedronka". */
export function nameStems(name: string, language: string): Stem[] {
  const declensions = declensionsByLanguage[language];
  if (declensions === undefined) return [];
  const folded = fold(name);
  const word = lastWord.exec(folded.text)?.[0] ?? '';
  for (const [end, stems] of declensions) {
    const match = end.exec(word);
    if (match === null) continue;
    const [changed, first = '', second = ''] = match;
    const kept = name.slice(0, folded.offsets[folded.text.length - changed.length]);
    const fill = (template: string): string => template.replaceAll('$1', first).replaceAll('$2', second);
    const shortest = Math.min(...Object.keys(stems).map((stem) => fill(stem).length));
    if (match.index + shortest < minStem) return [];
    return Object.entries(stems).map(([stem, endings]) => ({
      text: kept + fill(stem),
      endings: endingSet(fill(endings)),
    }));
  }
  return [];
}

const maxEnding = 8;
const ending = /^[\p{L}\p{M}]{1,8}/u;

/** The rest of the word at an index if it is one of the endings, else null. */
export function readEnding(text: string, index: number, endings: ReadonlySet<string>): string | null {
  const rest = ending.exec(text.slice(index, index + maxEnding))?.[0] ?? '';
  return endings.has(fold(rest).text) ? rest : null;
}

const sets = new Map<string, ReadonlySet<string>>();

/** The same endings share one set. */
function endingSet(endings: string): ReadonlySet<string> {
  const set = sets.get(endings) ?? new Set(endings.split(' '));
  sets.set(endings, set);
  return set;
}
