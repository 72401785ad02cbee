import { getLexicon, type Lexicon } from './lexicon.ts';
import { contrastWords, getNegations } from './negation.ts';

/** Constants of VADER: the factor of a negated word, and the normalisation of the sum of valences. */
const negationFactor = -0.74;
const saturation = 15;
const negationReach = 3;
const unspacedReach = 4;
const maxEndingLength = 2;
const minStemLength = 5;

/** Languages without spaces, or (Korean) with endings that hide the word: words match at any position. */
const unspacedLanguages = new Set(['ja', 'zh', 'ko', 'th', 'km', 'lo', 'my']);

/** Tone of a text, -1 to 1; 0 if none of its words is in the lexicon. */
export function rateTone(text: string, language: string): number {
  const lexicon = getLexicon(language);
  const sum = unspacedLanguages.has(language)
    ? sumUnspaced(text, lexicon, language)
    : sumSpaced(text, lexicon, language);
  return sum / Math.sqrt(sum * sum + saturation);
}

function sumSpaced(text: string, lexicon: Lexicon, language: string): number {
  const tokens = tokenize(text, language);
  const negation = getNegations(language);
  let sum = 0;
  for (let index = 0; index < tokens.length; index += 1) {
    const token = tokens[index] ?? '';
    const pair = `${token} ${tokens[index + 1] ?? ''}`;
    const valence = lexicon.valences.get(pair) ?? findValence(token, lexicon);
    if (valence === undefined || negation.before.has(token)) continue;
    const before = upToBreak(tokens.slice(Math.max(0, index - negationReach), index).toReversed());
    const after = upToBreak(tokens.slice(index + 1, index + 1 + negationReach));
    const negated =
      before.some((word) => negation.before.has(word)) ||
      (negation.after !== undefined && isNegatedAfter(after, negation.after, lexicon));
    sum += negated ? valence * negationFactor : valence;
    if (lexicon.valences.has(pair)) index += 1;
  }
  return sum;
}

/** An inflected form counts as its word if the ending has at most two letters ("hervorragende", "populärt"). */
function findValence(token: string, lexicon: Lexicon): number | undefined {
  const exact = lexicon.valences.get(token);
  if (exact !== undefined) return exact;
  for (let cut = 1; cut <= maxEndingLength && token.length - cut >= minStemLength; cut += 1) {
    const valence = lexicon.valences.get(token.slice(0, -cut));
    if (valence !== undefined) return valence;
  }
  return undefined;
}

/** The tokens up to a comma or a contrast word: a negation does not reach beyond. */
function upToBreak(tokens: string[]): string[] {
  const at = tokens.findIndex((token) => contrastWords.has(token) || /^[,;:.!?]/.test(token));
  return at === -1 ? tokens : tokens.slice(0, at);
}

/** A negation after the word counts unless another word of the lexicon is between: it negates that word. */
function isNegatedAfter(after: string[], negators: ReadonlySet<string>, lexicon: Lexicon): boolean {
  for (const [index, word] of after.entries()) {
    if (negators.has(word)) return !after.slice(index + 1).some((next) => lexicon.valences.has(next));
    if (lexicon.valences.has(word)) return false;
  }
  return false;
}

function sumUnspaced(text: string, lexicon: Lexicon, language: string): number {
  const negation = getNegations(language);
  let sum = 0;
  for (let index = 0; index < text.length;) {
    const length = matchLength(text, index, lexicon);
    if (length === 0) {
      index += 1;
      continue;
    }
    const valence = lexicon.valences.get(text.slice(index, index + length)) ?? 0;
    const before = text.slice(Math.max(0, index - unspacedReach), index);
    const after = text.slice(index + length, index + length + unspacedReach);
    const negated =
      [...negation.before].some((word) => word !== '' && before.includes(word)) ||
      [...(negation.after ?? [])].some((word) => after.includes(word));
    sum += negated ? valence * negationFactor : valence;
    index += length;
  }
  return sum;
}

function matchLength(text: string, index: number, lexicon: Lexicon): number {
  for (let length = Math.min(lexicon.maxLength, text.length - index); length > 0; length -= 1) {
    if (lexicon.valences.has(text.slice(index, index + length))) return length;
  }
  return 0;
}

const apostropheSplits = new Set(['fr', 'it', 'ca']);

function tokenize(text: string, language: string): string[] {
  const lower = text.normalize('NFC').toLowerCase().replaceAll('’', "'");
  const pattern = apostropheSplits.has(language)
    ? /[\p{L}\p{M}]+|[,;:.!?]/gu
    : /[\p{L}\p{M}]+(?:['-][\p{L}\p{M}]+)*|[,;:.!?]/gu;
  return lower.match(pattern) ?? [];
}
