import type { Span } from '../text/span.ts';
import { roleWords, type RoleWords } from './role-words.ts';

/** An occurrence of a brand in the visible text. */
export type Mention = Span & { brand: number };

/**
 * What a sentence says of a brand. `subject`: its tone. `standard`: the reverse of its tone ("better than Acme").
 * `origin`: a brand that is left ("from Acme to"), of which the reason may speak.
 * `equal`: the same tone, or its reverse if it is negated ("not as good as Acme"). `other`: nothing ("alternatives to
 * Acme").
 */
export type Role = 'subject' | 'standard' | 'origin' | 'equal' | 'other';

const lookBehind = 90;
const lookAhead = 30;
/** What follows a brand that is left: "from Acme to Globex". */
const target =
  /^\s(?:for|to|with|in fav|zu[rm]?|nach|durch|auf|pour|à|aux?|vers|al?|por|hacia|per|verso|para|pel[ao]|naar|till?|na|do)(?!\p{L})/iu;
/** A further name of a list: "than Acme, Globex and Initech". */
const listSeparator =
  /^\s{0,3}(?:[,、，/&+]|and|or|und|oder|et|ou|y|o|e|en|of|och|eller|og|i|oraz|lub|ja|tai|dan|atau|at|や|と|和|或|および|또는|और|या){1,2}\s{0,3}(?:[tT]he )?$/u;

/** The role of each mention of a sentence. `mentions` are in order and within the sentence. */
export function readRoles(
  text: string,
  sentence: Span,
  mentions: readonly Mention[],
  language: string,
): Role[] {
  const marks = roleWords(language);
  const roles: Role[] = [];
  if (marks === null) return mentions.map(() => 'subject');
  let hasSubject = false;
  for (const [index, mention] of mentions.entries()) {
    const previous = mentions[index - 1];
    const from = Math.max(sentence.start, mention.start - lookBehind);
    const role = readRole(
      text.slice(from, mention.start),
      text.slice(mention.end, Math.min(sentence.end, mention.end + lookAhead)),
      marks,
      hasSubject,
    );
    const continues: boolean =
      role === 'subject' &&
      previous !== undefined &&
      continuesList(text, sentence, previous, mention, hasSubject);
    const read: Role = continues ? (roles.at(-1) ?? role) : role;
    hasSubject ||= read === 'subject';
    roles.push(read);
  }
  return roles;
}

/**
 * Whether a name continues the list of the name before it. The comma in "Unlike Acme, Globex is slow" does not: the
 * standard stands at the start.
 */
function continuesList(
  text: string,
  sentence: Span,
  previous: Mention,
  { start }: Mention,
  hasSubject: boolean,
): boolean {
  const between = text.slice(previous.end, start);
  if (between.length > 11 || !listSeparator.test(between)) return false;
  const isAtStart = !hasSubject && previous.start - sentence.start < lookBehind / 2;
  return !(isAtStart && /^\s{0,3}[,、，]\s{0,3}$/.test(between));
}

function readRole(before: string, after: string, marks: RoleWords, isLater: boolean): Role {
  if (marks('standard after', after)) return 'standard';
  if (marks('equal', before) || marks('equal after', after)) return 'equal';
  if (marks('standard', before)) return 'standard';
  if (marks('origin', before) && target.test(after)) return 'origin';
  const isOther = marks('other', before) || marks('other after', after);
  return isOther || (isLater && marks('preposition', before)) ? 'other' : 'subject';
}
