import { lettersIn } from '../text/visible-text.ts';
import type { Variant } from './tracked-brand.ts';

/**
 * The ways to write a name's marks: "McDonald's" as "McDonalds", "Yum! Brands" as "Yum Brands", "Dr. Martens" as
 * "Dr Martens", "J.Crew" as "J. Crew", "Disney+" as "Disney Plus".
 */
export function markVariants(variant: Variant): Variant[] {
  const { text, casing } = variant;
  const withoutApostrophe = text.replace(/['’`]/g, '');
  const spacedInitials = text.replace(initial, '$1. ');
  const closedInitials = text.replace(initial, '$1.');
  const joinedInitials = text.replace(initialBeforeInitial, '$1').replace(/(?<=\p{Lu}{2})\.$/u, '');
  const same = [
    text,
    withoutApostrophe,
    text.replace(/(?<![!?.])[!?.]+$/, ''),
    text.replace(/(?<=\p{L})[!?](?=\s)/gu, ''),
    closedInitials,
    spacedInitials,
    ...[text, spacedInitials, joinedInitials].map((each) => each.replace(abbreviation, '')),
    text.replace(title, '$1.'),
    text.replace(/(?<=\p{L})\+$/u, ' Plus'),
    text.replace(/(?<=\p{L}) Plus$/iu, '+'),
  ];
  const variants = Array.from(new Set(same), (each) => ({ text: each, casing }));
  // "she'll" would match Shell, and "team's" Teams. "Levi's" is Levis.
  const possessive = withoutApostrophe.replace(/(?<=\p{L}{4})s$/u, "'s");
  if (possessive !== withoutApostrophe && withoutApostrophe === text)
    variants.push({ text: possessive, casing: casing === 'exact' ? casing : 'capitals' });
  return variants;
}

/** "J." before a word: "J.Crew". */
const initial = /(?<!\p{L})(\p{Lu})\.\s?(?=\p{Lu}\p{Ll})/gu;
/** "J." before a further initial: "J. P. Morgan", "A.P.C.". */
const initialBeforeInitial = /(?<!\p{L})(\p{Lu})\.\s?(?=\p{Lu}\.)/gu;
/** The full stop of a short word before another one: "Dr. Martens". */
const abbreviation = /(?<=(?<!\p{L})\p{L}{1,3})\.(?=\s)/gu;
const title = /(?<!\p{L})(Dr|Mr|Mrs|Ms|St)(?=\s)/gu;

const umlauts: Record<string, string> = {
  ä: 'ae',
  ö: 'oe',
  ü: 'ue',
  Ä: 'Ae',
  Ö: 'Oe',
  Ü: 'Ue',
  å: 'aa',
  Å: 'Aa',
  ø: 'oe',
  Ø: 'Oe',
};
const umlautOf: Record<string, string> = { ae: 'ä', oe: 'ö', ue: 'ü', Ae: 'Ä', Oe: 'Ö', Ue: 'Ü' };

const minLetters = 5;

/** "Müller" is also "Mueller". The reverse counts only with the umlaut, and not in a short name ("Blue"). */
export function umlautVariants(variant: Variant): Variant[] {
  const { text } = variant;
  const written = text.replace(/[äöüåø]/giu, (letter) => umlauts[letter] ?? letter);
  const umlauted = text.replace(/[aou]e/gi, (letters) => umlautOf[letters] ?? letters);
  const variants = [variant];
  if (written !== text) variants.push({ ...variant, text: written });
  if (umlauted !== text && lettersIn(text) >= minLetters) variants.push({ text: umlauted, casing: 'exact' });
  return variants;
}
