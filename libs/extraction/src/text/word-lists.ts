import { readdirSync, readFileSync } from 'node:fs';

/** The word lists, a file for each subject and language. words/README.md explains how they are written. */
const folder = new URL('../../words/', import.meta.url);

/** A line of a word list with the indented ones behind it, and where it is: "words/tone/de.txt:12". */
export type Line = { text: string; place: string };

export type WordList<Section extends string, Option extends string> = {
  sections: Readonly<Record<Section, readonly Line[]>>;
  options: ReadonlySet<Option>;
};

type Known<Section, Option> = { sections: readonly Section[]; options: readonly Option[] };

/** The word lists of a subject by ISO 639-1 code of their language. */
export function readWordLists<Section extends string, Option extends string = never>(
  subject: string,
  known: Known<Section, Option>,
): ReadonlyMap<string, WordList<Section, Option>> {
  const files = readdirSync(new URL(`${subject}/`, folder)).filter((file) => file.endsWith('.txt'));
  return new Map(
    files.toSorted().map((file) => {
      const path = `${subject}/${file}`;
      const text = readFileSync(new URL(path, folder), 'utf8');
      return [file.replace(/\.txt$/, ''), parseWordList(`words/${path}`, text, known)];
    }),
  );
}

export function parseWordList<Section extends string, Option extends string>(
  path: string,
  text: string,
  { sections, options }: Known<Section, Option>,
): WordList<Section, Option> {
  const lines = new Map<string, Line[]>([...sections, 'options'].map((section) => [section, []]));
  let open: Line[] | undefined;
  for (const [index, written] of text.split('\n').entries()) {
    const line = { text: written.trim(), place: `${path}:${index + 1}` };
    if (line.text === '' || line.text.startsWith('#')) continue;
    const previous = open?.at(-1);
    if (line.text.startsWith('['))
      open = lines.get(/^\[(.*)\]$/.exec(line.text)?.[1] ?? '') ?? fail(line, 'no such section');
    else if (written.startsWith(' ') && previous !== undefined) previous.text += ` ${line.text}`;
    else if (open === undefined) fail(line, 'a section must come first');
    else open.push(line);
  }
  const read = Object.fromEntries(sections.map((section) => [section, lines.get(section) ?? []]));
  const set = (lines.get('options') ?? []).map(
    (line) => options.find((option) => option === line.text) ?? fail(line, 'no such option'),
  );
  return { sections: read as Record<Section, Line[]>, options: new Set(set) };
}

/** The entries of lines, which commas separate. */
export function toEntries(lines: readonly Line[]): Line[] {
  return lines.flatMap(({ text, place }) =>
    text
      .split(',')
      .map((entry) => ({ text: entry.trim().replace(/\s+/g, ' '), place }))
      .filter((entry) => entry.text !== ''),
  );
}

export function fail({ place, text }: Line, reason: string): never {
  throw new Error(`${place}: ${reason}: ${text}`);
}
