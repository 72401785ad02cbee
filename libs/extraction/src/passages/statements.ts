import type { FoundBrands } from '../mentions/find-brands.ts';
import type { Span } from '../text/span.ts';
import { detectToneLanguage, sampleLength } from '../tone/language.ts';
import { splitClauses, type Clause, type NamedMention } from './clauses.ts';
import { type Line, readLines } from './lines.ts';
import { type Mention, type Role, readRoles } from './roles.ts';
import { type PassageKind, type Scope, Scopes } from './scopes.ts';
import { splitSentences } from './sentences.ts';
import { readTable } from './tables.ts';
import {
  concessionLength,
  hasNoSubject,
  readPolarity,
  startsConclusion,
  startsWithPlural,
  startsWithPronoun,
} from './words.ts';

/** A sentence or clause with the brands that it is about. */
export type Statement = Span & {
  targets: { brand: number; role: Role; kind: PassageKind }[];
  /** The brands named in the text, in order. */
  mentions: readonly Mention[];
  /** The header of a table's row or column. */
  label: Span | null;
  polarity: Scope['polarity'];
};

export type Statements = {
  /** The language whose words are read, null if it has none: then only names connect a sentence to a brand. */
  language: string | null;
  statements: Statement[];
};

type Input = { text: string; language: string };

/** Longer lines are not labels. */
const maxLabelLength = 120;

/** All that a visible text says about the brands, in order. */
export function readStatements(found: FoundBrands): Statements {
  const mentions = found.matches
    .flatMap((spans, brand) => spans.map((span) => ({ brand, ...span })))
    .toSorted((a, b) => a.start - b.start || b.end - a.end);
  if (mentions.length === 0) return { language: null, statements: [] };
  const clear = isMostlyNames(found.text, mentions) ? null : found.clearToneLanguage;
  const language = detectToneLanguage(withoutNames(found.text, mentions), clear);
  const reader = new Reader({ text: found.text, language: language ?? found.language });
  let next = 0;
  for (const line of readLines(found.text, found.marks)) {
    const inside: Mention[] = [];
    for (
      let mention = mentions[next];
      mention !== undefined && mention.start < line.end;
      mention = mentions[next]
    ) {
      inside.push(mention);
      next += 1;
    }
    reader.read(line, inside);
  }
  reader.endTable();
  return { language, statements: reader.statements };
}

type NamedLine = { line: Line; mentions: Mention[] };

class Reader {
  readonly statements: Statement[] = [];
  readonly #input: Input;
  readonly #scopes = new Scopes();
  #table: NamedLine[] = [];
  #afterBlank = true;
  /** Whether the line before is a list item that is a name, the first (`name`) or a further one (`list`). */
  #title: 'name' | 'list' | 'text' = 'text';
  /** The brands of the sentence before, for a pronoun. */
  #previous: number[] = [];

  constructor(input: Input) {
    this.#input = input;
  }

  read(line: Line, mentions: Mention[]): void {
    if (line.kind === 'row') {
      this.#table.push({ line, mentions });
      return;
    }
    this.endTable();
    if (line.kind === 'blank') {
      this.#afterBlank = true;
      return;
    }
    if (line.kind === 'rule') this.#scopes.closeAll();
    else this.#readScope(line, mentions);
    this.#afterBlank = false;
  }

  endTable(): void {
    const rows = this.#table;
    this.#table = [];
    if (rows.length === 0) return;
    this.#previous = [];
    const scope = this.#scopes.current();
    for (const { cell, mentions, brand, label, polarity } of readTable(this.#input.text, rows)) {
      const inherited = brand === null ? scope : { brand, kind: 'table' as const, polarity, label };
      this.#previous = [];
      this.#readSentences(cell, mentions, inherited);
    }
    this.#previous = [];
  }

  #readScope(line: Line, mentions: Mention[]): void {
    const { text } = this.#input;
    const label = text.slice(line.start, Math.min(line.end, line.start + maxLabelLength));
    if (line.kind === 'heading') {
      this.#previous = [];
      const brand = this.#soleSubject(line, mentions);
      this.#scopes.openHeading(line, label, brand);
      this.#readSentences(line, mentions, null);
      return;
    }
    if (line.kind === 'bold') {
      this.#previous = [];
      this.#scopes.openBold(line, label, this.#soleSubject(line, mentions));
      this.#readSentences(line, mentions, null);
      return;
    }
    if (line.kind === 'item') {
      this.#previous = [];
      const isName = isNameLine(this.#input.text, line, mentions);
      this.#title = !isName ? 'text' : this.#title === 'text' ? 'name' : 'list';
      this.#scopes.openItem(line, label, this.#itemSubject(line, mentions));
      this.#readSentences(line, mentions, this.#scopes.current());
      return;
    }
    // "1. Acme", an empty line, then a paragraph: the number is a heading, unless it stands in a list of names.
    if (this.#afterBlank && this.#title !== 'name') this.#scopes.closeItems(line.depth);
    this.#title = 'text';
    if (startsConclusion(label)) {
      this.#scopes.closeAll();
      this.#previous = [];
    }
    this.#readTextLine(line, label, mentions);
  }

  #readTextLine(line: Line, label: string, mentions: Mention[]): void {
    const { text } = this.#input;
    const isLabel = line.end - line.start < maxLabelLength && /[:：]\s*$/.test(label);
    if (isLabel || isNameLine(text, line, mentions)) {
      this.#previous = [];
      this.#scopes.openName(line, label, this.#soleSubject(line, mentions));
      this.#readSentences(line, mentions, null);
      return;
    }
    const scope = this.#scopes.current();
    const lead = mentions[0];
    if (lead !== undefined && isLedBy(text, line, lead))
      this.#readSentences(line, mentions, { brand: lead.brand, kind: 'list item', polarity: 0, label: null });
    else this.#readSentences(line, mentions, { ...scope, polarity: readPolarity(label) || scope.polarity });
  }

  /** The only brand that a heading is about, else null. */
  #soleSubject(line: Line, mentions: readonly Mention[]): number | null {
    const roles = readRoles(this.#input.text, line, mentions, this.#input.language);
    const subjects = new Set(
      mentions.filter((_, index) => roles[index] === 'subject').map(({ brand }) => brand),
    );
    return subjects.size === 1 && !roles.includes('standard') ? ([...subjects][0] ?? null) : null;
  }

  /** The brand of a list item: the only one that it names, or the one it starts with. */
  #itemSubject(line: Line, mentions: readonly Mention[]): number | null {
    const sole = this.#soleSubject(line, mentions);
    const first = mentions[0];
    if (sole !== null || first === undefined) return sole;
    return this.#input.text.slice(line.start, first.start).trim().length <= 3 ? first.brand : null;
  }

  #readSentences(range: Span, mentions: readonly Mention[], scope: Scope | null): void {
    const { text, language } = this.#input;
    const inherited = scope?.brand ?? null;
    if (mentions.length === 0 && inherited === null && this.#previous.length === 0) return;
    let next = 0;
    for (const [index, sentence] of splitSentences(text, range, mentions, language).entries()) {
      const inside: Mention[] = [];
      while ((mentions[next]?.start ?? sentence.end) < sentence.end) {
        const mention = mentions[next];
        if (mention !== undefined) inside.push(mention);
        next += 1;
      }
      this.#readSentence(sentence, inside, scope, index === 0);
    }
  }

  #readSentence(sentence: Span, mentions: Mention[], scope: Scope | null, isFirst: boolean): void {
    const { text, language } = this.#input;
    const start = text.slice(sentence.start, Math.min(sentence.end, sentence.start + 200));
    const conceded = concessionLength(start, language);
    const words = start.slice(conceded);
    const continued = this.#continued(words, isFirst);
    const inherited: Statement['targets'] =
      continued.length > 0
        ? continued.map((brand) => ({ brand, role: 'subject', kind: 'pronoun' }))
        : scope === null || scope.brand === null
          ? []
          : [{ brand: scope.brand, role: 'subject', kind: scope.kind }];
    const { polarity, label } = scope ?? { polarity: 0 as const, label: null };
    if (mentions.length === 0) {
      this.#previous = continued;
      if (inherited.length > 0)
        this.statements.push({ ...sentence, targets: inherited, mentions, label, polarity });
      return;
    }
    const roles = readRoles(text, sentence, mentions, language);
    const named = mentions.map((mention, index) => ({ ...mention, role: roles[index] ?? 'subject' }));
    const standards = this.#readConcession(sentence.start, sentence.start + conceded, named);
    for (const clause of splitClauses(text, sentence, named, language)) {
      const targets = toTargets(clause).filter(
        ({ brand, role }) => role === 'subject' || !standards.has(brand),
      );
      const isAboutNamed = targets.some(({ role }) => role === 'subject');
      if (!isAboutNamed)
        targets.push(...inherited.filter(({ brand }) => targets.every((target) => target.brand !== brand)));
      this.#previous = targets.filter(({ role }) => role === 'subject').map(({ brand }) => brand);
      this.statements.push({
        start: clause.start,
        end: clause.end,
        targets,
        mentions: clause.mentions,
        label,
        polarity,
      });
    }
  }

  /**
   * Reads what a concession says of its standards, and returns them: in "While not as fast as Acme, it is reliable" the
   * main clause says nothing of Acme.
   */
  #readConcession(start: number, end: number, named: readonly NamedMention[]): Set<number> {
    const mentions = named.filter((mention) => mention.start < end);
    if (mentions.length === 0 || mentions.some(({ role }) => role === 'subject')) return new Set();
    const clause = { start, end, mentions };
    this.statements.push({ ...clause, targets: toTargets(clause), label: null, polarity: 0 });
    return new Set(mentions.map(({ brand }) => brand));
  }

  /** The brands that a pronoun refers to: several only if it is a plural one. */
  #continued(sentence: string, isFirst: boolean): number[] {
    const { language } = this.#input;
    if (this.#previous.length === 0) return [];
    if (!startsWithPronoun(sentence, language) && (isFirst || !hasNoSubject(sentence, language))) return [];
    return this.#previous.length === 1 || startsWithPlural(sentence) ? this.#previous : [];
  }
}

function toTargets({ mentions }: Clause): Statement['targets'] {
  const roles = new Map<number, Role>();
  for (const { brand, role } of mentions) {
    if (role === 'subject' || !roles.has(brand)) roles.set(brand, role);
  }
  return Array.from(roles, ([brand, role]) => ({ brand, role, kind: 'own sentence' }));
}

/** Whether a line consists of a brand's name and at most a number. */
function isNameLine(text: string, line: Span, mentions: readonly Mention[]): boolean {
  const first = mentions[0];
  if (first === undefined || mentions.length > 1 || line.end - line.start > maxLabelLength) return false;
  const rest = text.slice(line.start, first.start) + text.slice(first.end, line.end);
  return !/[\p{L}]/u.test(rest);
}

/** Whether a line starts with a name that is set off from the rest: "Acme: …", "Acme – …". */
function isLedBy(text: string, line: Span, { start, end }: Mention): boolean {
  if (/[\p{L}\p{N}]/u.test(text.slice(line.start, start))) return false;
  return /^\s{0,2}(?:\([^()\n]{0,60}\))?\s{0,2}(?:[:：–—]|-\s)/.test(
    text.slice(end, Math.min(line.end, end + 70)),
  );
}

/** Whether names are more than half of the start of a text. Then its language may be theirs. */
function isMostlyNames(text: string, mentions: readonly Mention[]): boolean {
  const sample = text.slice(0, sampleLength);
  return withoutNames(sample, mentions).length < sample.length / 2;
}

/** The start of a text, without the names. */
function withoutNames(text: string, mentions: readonly Mention[]): string {
  let rest = '';
  let from = 0;
  for (const { start, end } of mentions) {
    if (rest.length > sampleLength) break;
    if (start >= from) rest += text.slice(from, Math.min(start, from + sampleLength));
    from = Math.max(from, end);
  }
  return rest + text.slice(from, from + sampleLength);
}
