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

const maxDepth = 6;

/** The overview's text: snippets, list items and table rows, a line each, without the source chips glued to them. */
export function overviewText(blocks: readonly TextBlock[], references: readonly Reference[]): string {
  return blocks.flatMap((block) => linesOf(block, references, 0)).join('\n');
}

function linesOf(block: TextBlock, references: readonly Reference[], depth: number): string[] {
  if (depth > maxDepth) return [];
  const inner = [...objectsOf(block.list), ...objectsOf(block.text_blocks)];
  const lines = [
    textOf(block.title),
    withoutChip(textOf(block.snippet), block, references),
    arrayOf(block.product_labels).map(textOf).join(' | '),
    ...objectsOf(block.comparison).map((row) =>
      [textOf(row.feature), ...arrayOf(row.values).map(textOf)].join(' | '),
    ),
    ...arrayOf(block.table).map((row) => arrayOf(row).map(textOf).join(' | ')),
  ];
  return [
    ...lines.filter((line) => line !== ''),
    ...inner.flatMap((child) => linesOf(child, references, depth + 1)),
  ];
}

/**
 * A chip is the name of a source at the end of a snippet ("PetMD +2", "YouTube·Buyers Guides +1"). Read as prose it
 * makes a mention and a position that the text does not have. It goes with a link that has no text of its own.
 */
function withoutChip(snippet: string, block: TextBlock, references: readonly Reference[]): string {
  const chipLinks = objectsOf(block.snippet_links)
    .filter((link) => !link.text)
    .map((link) => link.link);
  if (chipLinks.length === 0) return stripChip(snippet, namesOf(references), true);
  const linked = references.filter((reference) => chipLinks.includes(reference.link ?? undefined));
  const names = namesOf([...linked, ...chipLinks.map((link) => ({ link })), ...references]);
  const stripped = stripChip(snippet, names, false);
  // A chip whose source is not among the references still ends in a count, after the sentence's end.
  return stripped === snippet
    ? snippet.replace(/(?<=[.!?:;)$”"])\s+[^.!?]{1,60}\s\+\d{1,3}$/u, '')
    : stripped;
}

/** Cuts one of the names off the end; with `counted` only where a "+n" shows that it is a chip. */
export function stripChip(snippet: string, names: readonly string[], counted: boolean): string {
  const count = /\s{0,3}\+\d{1,3}\s{0,3}$/.exec(snippet);
  if (counted && count === null) return snippet;
  const uncounted = snippet.slice(0, count?.index).trimEnd();
  for (const name of names) {
    const at = uncounted.lastIndexOf(name);
    if (at < 1 || !/\s/.test(uncounted.charAt(at - 1))) continue;
    // "YouTube·Buyers Guides": the channel after the site.
    if (/^(?:\s?·\s?[^.!?\n]{1,80})?$/.test(uncounted.slice(at + name.length)))
      return uncounted.slice(0, at).trimEnd();
  }
  return snippet;
}

function namesOf(references: readonly Reference[]): string[] {
  return references.flatMap(({ source, link }) => {
    const host = link && URL.canParse(link) ? new URL(link).hostname : '';
    const bare = host.replace(/^www\./, '');
    return [source ?? '', bare && `www.${bare}`, bare].filter((name) => name !== '');
  });
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
