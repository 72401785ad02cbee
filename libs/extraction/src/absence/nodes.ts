import type { Span } from '../text/span.ts';
import type { MaskedText, Match } from './masked-text.ts';

/** A part of a phrase. It returns every way to match at a place, the preferred one first. */
export type Node = {
  match: (text: MaskedText, at: number) => readonly Match[];
  /** The characters that it may start with, null if any. */
  starts: ReadonlySet<string> | null;
  /** The words that it may start with, null if any. Not for languages without spaces. */
  firstWords: ReadonlySet<string> | null;
  isOptional: boolean;
  /** Only looks at what is before or behind. */
  isEmpty?: true;
};

const maxEnding = 12;

let parts = 0;
/** A number for a part whose matches are remembered. */
export function nextPart(): number {
  parts += 1;
  return parts;
}

const none: readonly Match[] = [];
const noNames: readonly Span[] = [];

/** One of several words. A word that ends with "~" may have any ending. */
export function words(forms: readonly string[], isUnspaced: boolean): Node {
  const byStart = Map.groupBy(forms, (form) => form.charAt(0));
  const toMatch = (end: number): Match => ({ end, names: noNames });
  const match: Node['match'] = (text, at) => {
    const start = text.skipSpace(at);
    const candidates = byStart.get(text.text.charAt(start));
    if (candidates === undefined) return none;
    if (isUnspaced)
      return candidates
        .filter((form) => text.text.startsWith(form, start))
        .map((form) => toMatch(start + form.length));
    const end = text.wordEnd(start);
    const word = text.text.slice(start, end);
    return candidates.some((form) => isForm(word, form)) ? [toMatch(end)] : none;
  };
  return { match, starts: new Set(byStart.keys()), firstWords: new Set(forms), isOptional: false };
}

/** Whether a word is a form of a list. "~" stands for any ending. */
export function isForm(word: string, form: string): boolean {
  if (!form.endsWith('~')) return word === form;
  const stem = form.length - 1;
  return word.length >= stem && word.length <= stem + maxEnding && word.startsWith(form.slice(0, stem));
}

export const anyWord: Node = {
  match: (text, at) => {
    const start = text.skipSpace(at);
    const end = text.wordEnd(start);
    return end === start ? none : [{ end, names: noNames }];
  },
  starts: null,
  firstWords: null,
  isOptional: false,
};

/** A mark of punctuation. */
export function mark(characters: string): Node {
  const match: Node['match'] = (text, at) => {
    const start = text.skipSpace(at);
    const character = text.text.charAt(start);
    return character !== '' && characters.includes(character) ? [{ end: start + 1, names: noNames }] : none;
  };
  return { match, starts: new Set(characters), firstWords: new Set(), isOptional: false };
}

/** What must stand before or behind. It is not part of the phrase. */
export function condition(isMet: (text: MaskedText, at: number) => boolean): Node {
  return {
    match: (text, at) => (isMet(text, at) ? [{ end: at, names: noNames }] : none),
    starts: null,
    firstWords: null,
    isOptional: true,
    isEmpty: true,
  };
}

export function sequence(nodes: readonly Node[]): Node {
  const [only] = nodes;
  if (only !== undefined && nodes.length === 1) return only;
  const match: Node['match'] = (text, at) => {
    let matches: readonly Match[] = [{ end: at, names: noNames }];
    for (const node of nodes) {
      matches = followedBy(text, matches, node);
      if (matches.length === 0) return none;
    }
    return matches;
  };
  return {
    match,
    starts: firstOf(nodes, (node) => node.starts),
    firstWords: firstOf(nodes, (node) => node.firstWords),
    isOptional: nodes.every((node) => node.isOptional),
  };
}

function followedBy(text: MaskedText, matches: readonly Match[], node: Node): readonly Match[] {
  const [only] = matches;
  if (only !== undefined && matches.length === 1 && only.names.length === 0)
    return node.match(text, only.end);
  const found: Match[] = [];
  for (const match of matches) {
    for (const next of node.match(text, match.end))
      found.push(match.names.length === 0 ? next : { end: next.end, names: [...match.names, ...next.names] });
  }
  return distinct(found);
}

type Texts = ReadonlySet<string> | null;

function firstOf(nodes: readonly Node[], read: (node: Node) => Texts): Texts {
  const first = new Set<string>();
  for (const node of nodes) {
    if (node.isEmpty === true) continue;
    const texts = read(node);
    if (texts === null) return null;
    for (const text of texts) first.add(text);
    if (!node.isOptional) return first;
  }
  return null;
}

export function choice(nodes: readonly Node[]): Node {
  const [only] = nodes;
  if (only !== undefined && nodes.length === 1) return only;
  const characters = new Set(nodes.flatMap(({ starts }) => [...(starts ?? [])]));
  const always = nodes.filter(({ starts }) => starts === null);
  const byStart = new Map(
    Array.from(characters, (character) => [
      character,
      nodes.filter(({ starts }) => starts === null || starts.has(character)),
    ]),
  );
  const part = nextPart();
  const match: Node['match'] = (text, at) => {
    const candidates = byStart.get(text.text.charAt(text.skipSpace(at))) ?? always;
    if (candidates.length === 0) return none;
    return text.remember(part, at, () => {
      const found: Match[] = [];
      for (const node of candidates) found.push(...node.match(text, at));
      return distinct(found);
    });
  };
  return {
    match,
    starts: always.length > 0 ? null : characters,
    firstWords: nodes.some(({ firstWords }) => firstWords === null)
      ? null
      : new Set(nodes.flatMap(({ firstWords }) => [...(firstWords ?? [])])),
    isOptional: nodes.some((node) => node.isOptional),
  };
}

/** A part several times, the most often first. */
export function repeat(node: Node, minimum: number, maximum: number): Node {
  const match: Node['match'] = (text, at) => {
    const rounds: (readonly Match[])[] = [[{ end: at, names: noNames }]];
    for (let count = 1; count <= maximum; count += 1) {
      const next = followedBy(text, rounds.at(-1) ?? none, node);
      if (next.length === 0) break;
      rounds.push(next);
    }
    return distinct(rounds.slice(minimum).toReversed().flat());
  };
  return { ...node, match, isOptional: minimum === 0 || node.isOptional };
}

/** The first match with each end. */
function distinct(matches: readonly Match[]): readonly Match[] {
  if (matches.length < 2) return matches;
  const ends = new Set<number>();
  return matches.filter(({ end }) => !ends.has(end) && ends.add(end));
}
