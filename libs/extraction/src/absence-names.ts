import { anyWord, choice, condition, mark, nextPart, repeat, sequence, type Node } from './absence-nodes.ts';
import { nameMark, type MaskedText } from './absence-text.ts';

const opening = / ?["“”„«「『《〈【(']{0,2}\uE000/y;
const closing = /["“”»」』》〉】)']{0,2}(?: ?\((?:\uE000|[^()\n\uE000]{0,60})\))?/y;
const ends = /^ ?(?:$|[.;!?…)|。！？।])/;
const pauses = /^ ?(?:$|[.;!?…)|。！？।,:(\]—"“”»/、]|-(?: |$))/;
const maxItems = 6;

/** Whether the text ends, or a mark of punctuation follows. */
export const isPause = ({ text }: MaskedText, at: number): boolean => pauses.test(text.slice(at, at + 3));

const isEnd = condition(({ text }, at) => ends.test(text.slice(at, at + 2)));

export type NameOptions = {
  intro: Node | null;
  and: Node | null;
  endings: ReadonlySet<string>;
  isUnspaced: boolean;
};

/**
 * One name or a list of names. Inside a phrase, other names may stand before the last one. Without "and", a list ends
 * its sentence.
 */
export function names(options: NameOptions): Record<'first' | 'inside', Node> {
  const name = createName(options);
  const other = options.isUnspaced ? repeat(anyWord, 1, 1) : repeat(anyWord, 1, 3);
  const comma = mark(',、/');
  const joint = options.and === null ? mark('、/') : choice([mark('/'), options.and]);
  const toList = (item: Node): Node[] => [
    sequence([item, repeat(sequence([comma, item]), 1, maxItems), repeat(mark(','), 0, 1), joint, name]),
    sequence([item, joint, name]),
  ];
  return {
    first: captured(choice([...toList(name), name])),
    inside: captured(
      choice([
        ...toList(choice([name, other])),
        sequence([name, repeat(sequence([comma, name]), 1, maxItems), isEnd]),
        name,
      ]),
    ),
  };
}

/** A name with its article or kind, quotation marks, ending and a bracket behind it. */
function createName({ intro, endings }: NameOptions): Node {
  const bare: Node = {
    match: ({ text }, at) => {
      const marked = matchAt(opening, text, at);
      if (marked === null) return [];
      const end = skipEnding(text, marked, endings);
      return [{ end: matchAt(closing, text, end) ?? end, names: [] }];
    },
    starts: new Set(`"“”„«「『《〈【('${nameMark}`),
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

function captured(node: Node): Node {
  const part = nextPart();
  const match: Node['match'] = (text, at) =>
    text.remember(part, at, () =>
      node.match(text, at).map(({ end }) => ({ end, names: [{ start: at, end }] })),
    );
  return { ...node, match };
}
