import { eld } from 'eld/extrasmall';
import { getLexicon, toneLanguage } from './lexicon.ts';
import { readMarks } from './marks.ts';

/** The start of a text, enough to detect its language. */
export const sampleLength = 4000;
const scriptLength = 400;

export type DetectedLanguage = {
  /** ISO 639-1 code; `en` if it cannot be detected. */
  language: string;
  /** The language whose word lists fit, if no other language is nearly as likely. Else null. */
  clearToneLanguage: string | null;
};

/** ISO 639-1 code of the text's language; `en` if it cannot be detected. */
export function detectLanguage(text: string): string {
  return readLanguage(text).language;
}

export function readLanguage(text: string): DetectedLanguage {
  const detected = eld.detect(text.slice(0, sampleLength));
  const [best = 0, second = 0] = Object.values(detected.getScores());
  const isClear = second < best * clearShare;
  return {
    language: detected.language || 'en',
    clearToneLanguage: isClear ? toneLanguage(detected.language) : null,
  };
}

/** Without the names, no text of the test data with such a share has another language. */
const clearShare = 0.8;

/** In a text of this length, frequent words tell more about its language than its letters. */
const shortLength = 200;
/** The letters of so few words are noise. */
const veryShortLength = 80;
const veryShortWeight = 0.6;
const scorePerWord = 0.1;
const scorePerEntry = 0.08;
const maxWords = 4;
/** A language with word lists is not used if another one is clearly more likely. */
const minShare = 0.9;

const frequentWords: Record<string, string> = {
  en: 'the is are and of to in for with it its was has than but not very an unlike you they have this that or from at by on be can more most many some while like',
  de: 'der die das ist sind und von zu für mit es nicht ein eine als aber sehr auch bei wird ich kann den dem im nur in alle allen zum zur hat man',
  fr: 'le la les est sont et de des du pour avec il elle pas un une que mais très ce je à au aux ne se sur dans plus moins qui en par',
  es: 'el los las es son y de del para con no un una que pero muy su se por en al lo más menos muchos la a está',
  it: 'il lo gli è sono e di del della per con non un una che ma molto si i la a da ha più meno in al dei',
  pt: 'o os as a é são e de do da para com não um uma que mas muito se em mais menos ao à no na pelo tem dos',
  nl: 'de het is zijn en van voor met niet een dan maar zeer heel te wordt op in er om aan die ook bij meer',
  sv: 'är och av för med inte en ett än men mycket som på det den till från i kunder har',
  da: 'er og af av for med ikke en et end enn men meget veldig som på det den til fra i har ingen',
  pl: 'jest są i z dla nie na to że niż ale bardzo się w do od po za ma przez jak',
  fi: 'on ovat ja ei se kuin mutta erittäin hyvin sen ole eivät oli myös',
  id: 'adalah dan dari untuk dengan tidak yang lebih tetapi sangat di ini itu daripada banyak para ada',
  tl: 'ang ng sa mga ay hindi na at para kaysa ito ni mas',
  af: 'die is en van vir met nie n as maar baie dit het hulle',
};
const wordLists = Object.entries(frequentWords).map(
  ([language, list]) => [language, new Set(list.split(' '))] as const,
);

/**
 * The language whose word lists fit the tone of a text, null if there is none. `text` has no names, because these
 * decide the language of a short text. `clear` is the one of the text with its names, if it is clear.
 */
export function detectToneLanguage(text: string, clear: string | null = null): string | null {
  const script = readScript(text);
  if (script !== null) return script;
  const sample = text.slice(0, sampleLength);
  if (clear !== null && sample.length >= shortLength) return clear;
  const scores = new Map(Object.entries(eld.detect(sample).getScores()));
  if (sample.length < veryShortLength) {
    for (const [language, score] of scores) scores.set(language, score * veryShortWeight);
  }
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
    const frequent = words.filter((word) => list.has(word)).length;
    const found = Math.min(maxWords, frequent) * scorePerWord + countEntries(text, language) * scorePerEntry;
    if (found > 0) scores.set(language, (scores.get(language) ?? 0) + found);
  }
}

/** Number of words of a text that are on a language's lists. */
function countEntries(text: string, language: string): number {
  const lexicon = getLexicon(language);
  const marks = lexicon === null ? [] : readMarks(text, lexicon);
  const words = marks.filter(({ kind }) => kind !== 'stop' && kind !== 'comma');
  return Math.min(
    maxWords,
    words.reduce((sum, { at, end }) => sum + end - at, 0),
  );
}

/** From the Hangul letters on. All scripts of `readScript` are behind it. */
const laterLetter = /[\u1100-\uFFFF]/;
const kana = /[\p{Script=Hiragana}\p{Script=Katakana}]/gu;
const han = /\p{Script=Han}/gu;
const hangul = /\p{Script=Hangul}/gu;
const letter = /\p{L}/gu;

/** The language of a script that only one language of the lists has, if a third of the letters are of it. */
function readScript(text: string): string | null {
  const sample = text.slice(0, scriptLength);
  if (!laterLetter.test(sample)) return null;
  const minimum = count(sample, letter) / 3;
  if (minimum === 0) return null;
  const kanas = count(sample, kana);
  const hans = count(sample, han);
  if (count(sample, hangul) >= minimum) return 'ko';
  if (kanas + hans < minimum) return null;
  return kanas * 10 >= hans ? 'ja' : 'zh';
}

function count(text: string, pattern: RegExp): number {
  return text.match(pattern)?.length ?? 0;
}
