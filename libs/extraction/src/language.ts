import { eld } from 'eld/extrasmall';
import { toneLanguage } from './tone-lexicon.ts';

const sampleLength = 4000;

/** ISO 639-1 code of the text's language; `en` if it cannot be detected. */
export function detectLanguage(text: string): string {
  return eld.detect(text.slice(0, sampleLength)).language || 'en';
}

/** In a text of this length, frequent words tell more about its language than its letters. */
const shortLength = 200;
const scorePerWord = 0.08;
const maxWords = 4;
/** A language with word lists is not used if another one is clearly more likely. */
const minShare = 0.9;

const frequentWords: Record<string, string> = {
  en: 'the is are and of to in for with it its was has than but not very an',
  de: 'der die das ist sind und von zu für mit es nicht ein eine als aber sehr auch bei wird',
  fr: 'le la les est sont et de des du pour avec il elle pas un une que mais très ce',
  es: 'el los las es son y de del para con no un una que pero muy su se por',
  it: 'il lo gli è sono e di del della per con non un una che ma molto si i',
  pt: 'o os as é são e de do da para com não um uma que mas muito se em',
  nl: 'de het is zijn en van voor met niet een dan maar zeer heel te wordt op',
  sv: 'är och av för med inte en ett än men mycket som på det den',
  da: 'er og af av for med ikke en et end enn men meget veldig som på det den',
  pl: 'jest są i z dla nie na to że niż ale bardzo się w do',
  fi: 'on ovat ja ei se kuin mutta erittäin hyvin sen',
  id: 'adalah dan dari untuk dengan tidak yang lebih tetapi sangat di ini itu',
  tl: 'ang ng sa mga ay hindi na at para kaysa ito ni',
  af: 'die is en van vir met nie n as maar baie dit het',
};
const wordLists = Object.entries(frequentWords).map(
  ([language, list]) => [language, new Set(list.split(' '))] as const,
);

/**
 * The language whose word lists fit the tone of a text, null if there is none. `text` has no names, because these
 * decide the language of a short text.
 */
export function detectToneLanguage(text: string): string | null {
  const script = readScript(text);
  if (script !== null) return script;
  const sample = text.slice(0, sampleLength);
  const scores = new Map(Object.entries(eld.detect(sample).getScores()));
  if (sample.length < shortLength) addWordScores(sample, scores);
  const best = Math.max(0, ...scores.values());
  let found: string | null = null;
  let foundScore = best * minShare;
  for (const [language, score] of scores) {
    const known = toneLanguage(language);
    if (known === null || score < foundScore) continue;
    found = known;
    foundScore = score;
  }
  return found;
}

function addWordScores(text: string, scores: Map<string, number>): void {
  const words = text.toLowerCase().match(/[\p{L}\p{M}]+/gu) ?? [];
  for (const [language, list] of wordLists) {
    const count = Math.min(maxWords, words.filter((word) => list.has(word)).length);
    if (count > 0) scores.set(language, (scores.get(language) ?? 0) + count * scorePerWord);
  }
}

/** The language of a script that only one language of the lists has. */
function readScript(text: string): string | null {
  const sample = text.slice(0, shortLength * 2);
  if (
    /[\p{Script=Hiragana}\p{Script=Katakana}]/u.test(sample) &&
    count(sample, /[\p{Script=Hiragana}\p{Script=Han}\p{Script=Katakana}]/gu) * 3 > sample.length
  )
    return 'ja';
  if (count(sample, /\p{Script=Hangul}/gu) * 3 > sample.length) return 'ko';
  return count(sample, /\p{Script=Han}/gu) * 3 > sample.length ? 'zh' : null;
}

function count(text: string, pattern: RegExp): number {
  return text.match(pattern)?.length ?? 0;
}
