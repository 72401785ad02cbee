import { getLexicon, type Lexicon } from './lexicon.ts';
import { contrastWords, getNegations } from './negation.ts';

/** Constants of VADER: what a negation leaves of a word, and how fast a sum of words nears the end of the scale. */
const negationFactor = -0.74;
const saturation = 15;
const negationReach = 3;
const unspacedReach = 4;
const maxEnding = 2;
const minStem = 5;

/** Without spaces, or (Korean) with endings that hide the word: words are found wherever they stand. */
const unspacedLanguages = new Set(['ja', 'zh', 'ko', 'th', 'km', 'lo', 'my']);

/** Tone of a piece of text, -1 to 1; 0 when no word of it is in the lexicon. */
export function tone(text: string, language: string): number {
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

/** An inflected form counts as the word it ends in no more than two letters after ("hervorragende", "populärt"). */
function findValence(token: string, lexicon: Lexicon): number | undefined {
  const exact = lexicon.valences.get(token);
  if (exact !== undefined) return exact;
  for (let cut = 1; cut <= maxEnding && token.length - cut >= minStem; cut += 1) {
    const valence = lexicon.valences.get(token.slice(0, -cut));
    if (valence !== undefined) return valence;
  }
  return undefined;
}

/** A negation does not reach over a comma or a "but". */
function upToBreak(tokens: string[]): string[] {
  const at = tokens.findIndex((token) => contrastWords.has(token) || /^[,;:.!?]/.test(token));
  return at === -1 ? tokens : tokens.slice(0, at);
}

/** A negation after the word counts unless another word of tone stands between: that one is what it negates. */
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
