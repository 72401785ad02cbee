import { chipNames, type ChipSource, maxChipSources, stripChip, stripUnknownChip } from './source-chips.ts';

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

const maxDepth = 6;
/** Beyond what is kept of an answer; the rest of a body that is larger is not looked at. */
const maxLength = 40_000;

/** The overview's text: snippets, list items and table rows, a line each, without the source chips glued to them. */
export function overviewText(blocks: readonly TextBlock[], references: readonly ChipSource[]): string {
  const known = references.slice(0, maxChipSources).flatMap(chipNames);
  const lines: string[] = [];
  let length = 0;
  for (const line of linesOf(blocks, known, 0)) {
    lines.push(line);
    length += line.length;
    if (length > maxLength) break;
  }
  return lines.join('\n');
}

function* linesOf(blocks: readonly TextBlock[], known: readonly string[], depth: number): Generator<string> {
  if (depth > maxDepth) return;
  for (const [index, block] of blocks.entries()) {
    const next = depth === 0 ? blocks[index + 1]?.type : undefined;
    const lines = [
      textOf(block.title),
      withoutChip(textOf(block.snippet), block, {
        known,
        isFollowed: next !== undefined && next !== 'heading',
      }),
      arrayOf(block.product_labels).map(textOf).join(' | '),
      ...objectsOf(block.comparison).map((row) =>
        [textOf(row.feature), ...arrayOf(row.values).map(textOf)].join(' | '),
      ),
      ...arrayOf(block.table).map((row) => arrayOf(row).map(textOf).join(' | ')),
    ];
    yield* lines.filter((line) => line !== '');
    yield* linesOf(objectsOf(block.list), known, depth + 1);
    yield* linesOf(objectsOf(block.text_blocks), known, depth + 1);
  }
}

type ChipContext = { known: readonly string[]; isFollowed: boolean };

/** A link without a text of its own is the mark of a chip, but also of text whose links have lost theirs. */
function withoutChip(snippet: string, block: TextBlock, { known, isFollowed }: ChipContext): string {
  const links = objectsOf(block.snippet_links)
    .slice(0, maxChipSources)
    .filter(({ text }) => !text);
  const linked = links.flatMap(({ link }) => chipNames({ link }));
  const introduces = links.length > 0 && isFollowed;
  const stripped = stripChip(snippet, { names: [...linked, ...known], introduces });
  return stripped === snippet && links.length > 0 ? stripUnknownChip(snippet) : stripped;
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
