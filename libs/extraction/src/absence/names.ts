import { anyWord, choice, condition, mark, nextPart, repeat, sequence, type Node } from './nodes.ts';
import { isClauseStart, nameMark, wordBefore, type MaskedText } from './masked-text.ts';

const opening = / ?(?:["“”„«「『《〈【('] ?){0,2}\uE000/y;
const closing = /(?: ?["“”»」』》〉】)']){0,2}/y;
const bracket = / ?\((?:\uE000|[^()\n\uE000]{0,60})\)/y;
const ends = /^ ?(?:$|[.;!?…)|。！？।])/;
const pauses = /^ ?(?:$|[.;!?…)|。！？।,:(\]—"“”»/、]|-(?: |$))/;
const maxItems = 6;
const maxIntro = 4;

/** Whether the text ends, or a mark of punctuation follows. */
export const isPause = ({ text }: MaskedText, at: number): boolean => pauses.test(text.slice(at, at + 3));

const isEnd = condition(({ text }, at) => ends.test(text.slice(at, at + 2)));

export type NameOptions = {
  intro: Node | null;
  and: Node | null;
  endings: ReadonlySet<string>;
  prepositions: ReadonlySet<string>;
  conjunctions: ReadonlySet<string>;
  isUnspaced: boolean;
};

/**
 * One name or a list of names. Inside a phrase, the list may hold other names. Without "and", a list ends its sentence.
 */
export function names(options: NameOptions): Record<'first' | 'inside', Node> {
  const name = createName(options);
  const other = options.isUnspaced ? repeat(anyWord, 1, 1) : repeat(anyWord, 1, 3);
  const comma = mark(',、/');
  const joint = options.and === null ? mark('、/') : choice([mark('/'), options.and]);
  const toList = (item: Node, last: Node): Node[] => [
    sequence([item, repeat(sequence([comma, item]), 1, maxItems), repeat(mark(','), 0, 1), joint, last]),
    sequence([item, joint, last]),
  ];
  return {
    first: captured(choice([...toList(name, name), name]), (text, at) => isSubject(text, at, options)),
    inside: captured(
      choice([
        ...toList(choice([name, other]), choice([name, sequence([other, isEnd])])),
        sequence([name, repeat(sequence([comma, name]), 1, maxItems), isEnd]),
        name,
      ]),
    ),
  };
}

/**
 * Whether a name may be the subject. In "the price of the company Acme is not mentioned" the preposition shows that it
 * is not.
 */
function isSubject(
  masked: MaskedText,
  at: number,
  { intro, prepositions, conjunctions }: NameOptions,
): boolean {
  const { text } = masked;
  if (prepositions.has(text.slice(at, masked.wordEnd(at))) && !isClauseStart(text, at, conjunctions))
    return false;
  let before = wordBefore(text, at);
  for (let count = 0; before !== null && count < maxIntro; count += 1) {
    const { word, start } = before;
    if (prepositions.has(word) && (count === 0 || isIntro(masked, start + word.length, at, intro)))
      return false;
    before = wordBefore(text, start);
  }
  return true;
}

function isIntro(text: MaskedText, start: number, end: number, intro: Node | null): boolean {
  return intro?.match(text, start).some((match) => text.skipSpace(match.end) === end) === true;
}

/** A name with its article or kind, quotation marks, ending and a bracket behind it. */
function createName({ intro, endings }: NameOptions): Node {
  const bare: Node = {
    match: ({ text }, at) => {
      const marked = matchAt(opening, text, at);
      if (marked === null) return [];
      const end = matchAt(closing, text, skipEnding(text, marked, endings)) ?? marked;
      const behind = matchAt(bracket, text, end);
      return [...(behind === null ? [] : [behind]), end].map((each) => ({ end: each, names: [] }));
    },
    starts: new Set(`"“”„«「『《〈【('${nameMark}`),
    firstWords: new Set(),
    isOptional: false,
  };
  return intro === null ? bare : choice([bare, sequence([intro, bare])]);
}

function matchAt(pattern: RegExp, text: string, at: number): number | null {
  pattern.lastIndex = at;
  return pattern.test(text) ? pattern.lastIndex : null;
}

function skipEnding(text: string, at: number, endings: ReadonlySet<string>): number {
  if (endings.size === 0) return at;
  const start = /[:']/.test(text.charAt(at)) ? at + 1 : at;
  const written = /^[a-z]{1,6}(?![^\s\p{P}])/u.exec(text.slice(start, start + 8))?.[0] ?? '';
  return endings.has(written) ? start + written.length : at;
}

/** A part that says which names it holds, if they may stand at its place. */
function captured(node: Node, isAllowed: (text: MaskedText, at: number) => boolean = () => true): Node {
  const part = nextPart();
  const match: Node['match'] = (text, at) =>
    text.remember(part, at, () => {
      const found = node.match(text, at).filter(({ end }) => text.text.slice(at, end).includes(nameMark));
      if (found.length === 0 || !isAllowed(text, at)) return [];
      return found.map(({ end }) => ({ end, names: [{ start: at, end }] }));
    });
  return { ...node, match };
}
