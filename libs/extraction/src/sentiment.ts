import type { FoundBrands } from './mentions/find-brands.ts';
import type { Role } from './passages/roles.ts';
import { readStatements, type Statement } from './passages/statements.ts';
import { brandMark, normalize, readTone, type Tone } from './tone/tone.ts';

type Sum = { tone: number; statements: number };

/**
 * Sentiment of each brand, 0 to 100, null if it is not mentioned: the mean of the statements about it that evaluate. It
 * is exactly 50 if none does.
 */
export function rateSentiments(found: FoundBrands): (number | null)[] {
  const sums = found.matches.map((): Sum => ({ tone: 0, statements: 0 }));
  const { language, statements } = readStatements(found);
  for (const statement of language === null ? [] : statements) {
    const tone = toReason(readTone(maskNames(found.text, statement), language ?? ''), found.text, statement);
    if (tone.sum === 0 && tone.equal === 0) continue;
    for (const { brand, role } of statement.targets) {
      const sum = sums[brand];
      const value = normalize(withPolarity(toValue(tone, role), statement.polarity));
      if (sum === undefined || value === 0) continue;
      sum.tone += value;
      sum.statements += 1;
    }
  }
  return sums.map(({ tone, statements }, brand) => {
    if (found.matches[brand]?.length === 0) return null;
    return statements === 0 ? 50 : toScale(tone / statements);
  });
}

function toValue({ sum, equal }: Tone, role: Role): number {
  if (role === 'subject') return sum;
  if (role === 'standard' || role === 'origin') return -sum;
  return role === 'equal' ? equal : 0;
}

const reason =
  /(?<!\p{L})(?:because|due to|owing to|over (?:its|their|the)|since|after|wegen|weil|aufgrund|parce qu|à cause|en raison|car|porque|debido|por (?:su|sus|culpa)|perché|a causa|per via|devido|por causa|omdat|vanwege|ponieważ|z powodu|eftersom|på grund|fordi|koska|karena)(?!\p{L})|ため|ので|때문|因为|由于|क्योंकि/iu;

/** "People leave Acme for Globex because of the fees": a bad reason speaks of the brand that is left. */
function toReason(tone: Tone, text: string, { start, end, targets }: Statement): Tone {
  const isLeft = targets.some(({ role }) => role === 'origin') && reason.test(text.slice(start, end));
  return isLeft ? { ...tone, sum: tone.size } : tone;
}

/** A list of good sides holds no bad words about the brand, and the reverse: such words are about something else. */
function withPolarity(value: number, polarity: Statement['polarity']): number {
  return Math.sign(value) === -polarity ? 0 : value;
}

/** The statement with a mark in place of each name: the words of a name have no tone ("Best Buy"). */
function maskNames(text: string, { start, end, mentions }: Statement): string {
  let masked = '';
  let from = start;
  for (const mention of mentions) {
    if (mention.start < from) continue;
    masked += `${text.slice(from, mention.start)}${brandMark}`;
    from = mention.end;
  }
  return masked + text.slice(Math.min(from, end), end);
}

function toScale(value: number): number {
  return Math.round((50 + 50 * value) * 100) / 100;
}
