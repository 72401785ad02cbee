/** A stem of a word and the endings that may follow it, both folded. */
export type WordForm = { stem: string; endings: ReadonlySet<string> };

/** The end of a word, and the stems it becomes with their endings. `$1` and `$2` are groups of the end. */
type Declension = readonly [end: RegExp, stems: Readonly<Record<string, string>>];

// Endings are folded: "Teslą" reads as "tesla", which is the name itself.
const polishFeminine = 'y i e o om ami ach iej ej';
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
  [/(i)e?$/, { $1: 'ego emu m ch mi ej' }],
  [/y$/, { y: 'm ch mi', '': 'ego emu ej om ami ach' }],
  // The last "e" is lost: "Żywiec, Żywca".
  [/i?ec$/, { c: polishMasculine }],
  [/e([kl])$/, { $1: `${polishMasculine} iem`, e$1: polishMasculine }],
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
  [/i$/, { i: 'ho mu m ch mi' }],
  [/y$/, { y: 'm ch mi', '': 'eho emu em' }],
  [/ec$/, { c: czechMasculine }],
  [/e([kl])$/, { $1: czechMasculine, e$1: czechMasculine }],
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
  [/([aeiouy])s$/, { $1kse: finnishWeak, $1s: `${finnishAfterI} ta` }],
  [/([^aeiouy])$/, { $1: finnishAfterI }],
];

const hungarianCases =
  'ban ben ba be bol n ra re rol nak nek nal nel tol hoz hez val vel t ert ig kent e k je ja';
const hungarian: Declension[] = [
  [/([aeiouy])$/, { $1: hungarianCases }],
  // The consonant doubles in "Lidllel".
  [/([^aeiouy])$/, { $1: `${hungarianCases} on en ot et at ok ek $1al $1el` }],
];

const declensions: Record<string, Declension[]> = { pl: polish, cs: czech, fi: finnish, hu: hungarian };

/** Languages in which names have case endings. */
export const declinedLanguages: ReadonlySet<string> = new Set(Object.keys(declensions));

const minStem = 4;

/** The forms of a folded word: the stems "biedronk" and "biedronc" of "biedronka". None if a stem is short. */
export function wordForms(word: string, language: string): WordForm[] {
  for (const [end, stems] of declensions[language] ?? []) {
    const match = end.exec(word);
    if (match === null) continue;
    const [, first = '', second = ''] = match;
    const kept = word.slice(0, match.index);
    const fill = (template: string): string => template.replaceAll('$1', first).replaceAll('$2', second);
    const forms = Object.entries(stems).map(([stem, endings]) => ({
      stem: kept + fill(stem),
      endings: endingSet(fill(endings)),
    }));
    return forms.every(({ stem }) => stem.length >= minStem) ? forms : [];
  }
  return [];
}

const sets = new Map<string, ReadonlySet<string>>();

/** The same endings share one set. */
function endingSet(endings: string): ReadonlySet<string> {
  const set = sets.get(endings) ?? new Set(endings.split(' '));
  sets.set(endings, set);
  return set;
}
