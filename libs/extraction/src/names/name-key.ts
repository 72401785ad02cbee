import { fold } from '../text/fold.ts';
import { lettersIn, visibleName } from '../text/visible-text.ts';
import { withoutLegalForm } from './legal-forms.ts';

const maxKeyLength = 80;
/** Shorter names keep their spaces: "A B" is not "AB". */
const minJoinedLetters = 6;
const minHangulLetters = 4;
const hangul = /\p{Script=Hangul}/u;
/** Shorter names keep their vowels: "Noel" is not "Nöl". */
const minUmlautLetters = 5;
const and = / ?[&+](?= ?[\p{L}\p{N}]) ?| (?:and|und|et|och|og|oraz|dan|ve|es) (?=\S)/gu;
/** A name that its visible form does not change. */
const plain = /^\w[\w &.'-]*$/;
const umlauts: Record<string, string> = { ä: 'ae', ö: 'oe', ü: 'ue', å: 'aa', ø: 'oe' };

/** The answers of a scan present the same names again and again. */
const known = new Map<string, string>();
const maxKnown = 5_000;

/** Joins the spellings that detection reads as one name: "OpenHands Inc." and "Open Hands". Empty without letters. */
export function nameKey(name: string): string {
  const found = known.get(name);
  if (found !== undefined) return found;
  if (known.size >= maxKnown) known.clear();
  const key = toKey(name);
  known.set(name, key);
  return key;
}

function toKey(name: string): string {
  const visible = plain.test(name) ? name : visibleName(name).trim();
  const short = withoutLegalForm(visible, '')?.text ?? visible;
  const spelled = short
    .replace(/^The (?=\S+\s\S)/, '')
    .replace(/[äöüåø]/giu, (letter) => umlauts[letter.toLowerCase()] ?? letter);
  const folded = fold(spelled)
    .text.replace(/[\s/]+/g, ' ')
    .replace(and, ' & ')
    .replace(/(?<=\p{L})\+$/u, ' plus')
    .replace(/['.!?]/g, '')
    .replace(/[^\p{L}\p{N}\p{M}&#+]+/gu, ' ')
    .trim();
  const letters = lettersIn(folded);
  if (letters === 0) return '';
  const joined =
    letters >= (hangul.test(folded) ? minHangulLetters : minJoinedLetters)
      ? folded.replaceAll(' ', '')
      : folded;
  // "Müller" is also "Mueller" and "Muller".
  const key = letters >= minUmlautLetters ? joined.replace(/(?<=[aou])e|(?<=a)a/g, '') : joined;
  return Array.from(key).slice(0, maxKeyLength).join('');
}
