/**
 * The text of an answer's blocks, in order; null stands for a block of another kind. Neighbours are joined as they
 * are, because platforms split sentences at citations. Text after another block begins a new paragraph: without the
 * blank line the last word of one block and the first of the next would become one.
 */
export function joinBlocks(blocks: readonly (string | null)[]): string {
  let joined = '';
  let isApart = false;
  for (const block of blocks) {
    if (block === null) isApart = true;
    else if (block.trim() !== '' && isApart && joined.trim() !== '') {
      joined = `${joined.trimEnd()}\n\n${block.trimStart()}`;
      isApart = false;
    } else if (block.trim() !== '' || !isApart) {
      joined += block;
      isApart = false;
    }
  }
  return joined;
}

type Kind = 'text' | 'tool' | 'other';

/**
 * Where the answer begins in a list of blocks: after the last tool block that text follows. Text before it says what
 * the model is about to search ("I'll look for alternatives to Acme"). 0 where no text follows a tool block.
 */
export function answerStart(kinds: readonly Kind[]): number {
  const lastText = kinds.lastIndexOf('text');
  return kinds.lastIndexOf('tool', lastText === -1 ? 0 : lastText) + 1;
}
