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
/** Above the stored size of an answer; the rest of a larger body is ignored. */
const maxLength = 40_000;

/** The overview's text: a line for each snippet, list item and table row, without the source chips at their ends. */
export function overviewText(blocks: readonly TextBlock[], references: readonly ChipSource[]): string {
  const listedNames = references.slice(0, maxChipSources).flatMap(chipNames);
  const lines: string[] = [];
  let length = 0;
  for (const line of toLines(blocks, listedNames, 0)) {
    lines.push(line);
    length += line.length;
    if (length > maxLength) break;
  }
  return lines.join('\n');
}

function* toLines(
  blocks: readonly TextBlock[],
  listedNames: readonly string[],
  depth: number,
): Generator<string> {
  if (depth > maxDepth) return;
  for (const [index, block] of blocks.entries()) {
    const next = depth === 0 ? blocks[index + 1]?.type : undefined;
    const lines = [
      toText(block.title),
      withoutChip(toText(block.snippet), block, {
        listedNames,
        isFollowed: next !== undefined && next !== 'heading',
      }),
      toArray(block.product_labels).map(toText).join(' | '),
      ...toObjects(block.comparison).map((row) =>
        [toText(row.feature), ...toArray(row.values).map(toText)].join(' | '),
      ),
      ...toArray(block.table).map((row) => toArray(row).map(toText).join(' | ')),
    ];
    yield* lines.filter((line) => line !== '');
    yield* toLines(toObjects(block.list), listedNames, depth + 1);
    yield* toLines(toObjects(block.text_blocks), listedNames, depth + 1);
  }
}

type ChipContext = { listedNames: readonly string[]; isFollowed: boolean };

/** A link without a text may belong to a chip, but also to a snippet whose links lost their texts. */
function withoutChip(snippet: string, block: TextBlock, { listedNames, isFollowed }: ChipContext): string {
  const links = toObjects(block.snippet_links)
    .slice(0, maxChipSources)
    .filter(({ text }) => !text);
  const linked = links.flatMap(({ link }) => chipNames({ link }));
  const introduces = links.length > 0 && isFollowed;
  const stripped = stripChip(snippet, { names: [...linked, ...listedNames], introduces });
  return stripped === snippet && links.length > 0 ? stripUnknownChip(snippet) : stripped;
}

function toArray<T>(value: readonly T[] | undefined): readonly T[] {
  return Array.isArray(value) ? (value as readonly T[]) : [];
}

function toObjects<T extends object>(value: readonly T[] | undefined): readonly T[] {
  return toArray(value).filter((item) => typeof item === 'object' && item !== null);
}

function toText(value: unknown): string {
  return typeof value === 'string' ? value.trim() : '';
}
