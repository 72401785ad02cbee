/** A block of an overview; lists nest, expandable blocks hold blocks. */
export type TextBlock = {
  type?: string;
  title?: string;
  snippet?: string;
  snippet_links?: { text?: string; link?: string }[];
  list?: TextBlock[];
  table?: string[][];
  text_blocks?: TextBlock[];
  comparison?: { feature?: string; values?: string[] }[];
  product_labels?: string[];
};

type Reference = { link?: string | null | undefined; source?: string | null | undefined };
type NamedReference = Reference & { names: string[] };

const maxDepth = 6;
/** Beyond what is kept of an answer; the rest of a body that is larger is not looked at. */
const maxLength = 40_000;
/** Sources whose names are looked for at a snippet's end; an overview has a dozen. */
export const maxChipSources = 100;
/** A chip, with its channel and count, is shorter than this. */
const maxChipLength = 300;

/** The overview's text: snippets, list items and table rows, a line each, without the source chips glued to them. */
export function overviewText(blocks: readonly TextBlock[], references: readonly Reference[]): string {
  const named = references.slice(0, maxChipSources).map((source) => ({ ...source, names: namesOf(source) }));
  const lines: string[] = [];
  let length = 0;
  for (const line of linesOf(blocks, named, 0)) {
    lines.push(line);
    length += line.length;
    if (length > maxLength) break;
  }
  return lines.join('\n');
}

function* linesOf(
  blocks: readonly TextBlock[],
  references: readonly NamedReference[],
  depth: number,
): Generator<string> {
  if (depth > maxDepth) return;
  for (const block of blocks) {
    const lines = [
      textOf(block.title),
      withoutChip(textOf(block.snippet), block, references),
      arrayOf(block.product_labels).map(textOf).join(' | '),
      ...objectsOf(block.comparison).map((row) =>
        [textOf(row.feature), ...arrayOf(row.values).map(textOf)].join(' | '),
      ),
      ...arrayOf(block.table).map((row) => arrayOf(row).map(textOf).join(' | ')),
    ];
    yield* lines.filter((line) => line !== '');
    yield* linesOf(objectsOf(block.list), references, depth + 1);
    yield* linesOf(objectsOf(block.text_blocks), references, depth + 1);
  }
}

/**
 * A chip is the name of a source at the end of a snippet ("PetMD +2", "YouTube·Buyers Guides +1"). Read as prose it
 * makes a mention and a position that the text does not have. It goes with a link that has no text of its own.
 */
function withoutChip(snippet: string, block: TextBlock, references: readonly NamedReference[]): string {
  const chipLinks = objectsOf(block.snippet_links)
    .slice(0, maxChipSources)
    .filter((link) => !link.text)
    .map((link) => link.link);
  const known = references.flatMap(({ names }) => names);
  if (chipLinks.length === 0) return stripChip(snippet, known, true);
  const linked = references.filter(({ link }) => chipLinks.includes(link ?? undefined));
  const names = [
    ...linked.flatMap((source) => source.names),
    ...chipLinks.flatMap((link) => namesOf({ link })),
  ];
  const stripped = stripChip(snippet, [...names, ...known], false);
  // A chip whose source is not among the references still ends in a count, after the sentence's end.
  return stripped === snippet
    ? changeEnd(snippet, (end) => end.replace(/(?<=[.!?:;)$”"])\s+[^.!?]{1,60}\s\+\d{1,3}$/u, ''))
    : stripped;
}

/** Cuts one of the names off the end; with `counted` only where a "+n" shows that it is a chip. */
export function stripChip(snippet: string, names: readonly string[], counted: boolean): string {
  return changeEnd(snippet, (end) => withoutName(end, names, counted));
}

function withoutName(text: string, names: readonly string[], counted: boolean): string {
  const count = /\s{0,3}\+\d{1,3}\s{0,3}$/.exec(text);
  if (counted && count === null) return text;
  const uncounted = text.slice(0, count?.index).trimEnd();
  for (const name of names) {
    const at = uncounted.lastIndexOf(name);
    if (at < 1 || !/\s/.test(uncounted.charAt(at - 1))) continue;
    // "YouTube·Buyers Guides": the channel after the site.
    if (/^(?:\s?·\s?[^.!?\n]{1,80})?$/.test(uncounted.slice(at + name.length)))
      return uncounted.slice(0, at).trimEnd();
  }
  return text;
}

/** Chips stand at the end: of a snippet of megabytes no more is searched. */
function changeEnd(text: string, change: (end: string) => string): string {
  const from = Math.max(0, text.length - maxChipLength);
  return text.slice(0, from) + change(text.slice(from));
}

function namesOf({ source, link }: Reference): string[] {
  const host = link && URL.canParse(link) ? new URL(link).hostname : '';
  const bare = host.replace(/^www\./, '');
  return [source ?? '', bare && `www.${bare}`, bare].filter((name) => name !== '');
}

function arrayOf<T>(value: readonly T[] | undefined): readonly T[] {
  return Array.isArray(value) ? (value as readonly T[]) : [];
}

function objectsOf<T extends object>(value: readonly T[] | undefined): readonly T[] {
  return arrayOf(value).filter((item) => typeof item === 'object' && item !== null);
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value.trim() : '';
}
