/**
 * Joins the text of an answer's blocks, in order; null is a block of another kind. Adjacent texts are joined without a
 * separator, because platforms split sentences at citations. Text after another block starts a new paragraph. Without
 * the blank line, the last word of one block and the first of the next would be joined.
 */
export function joinBlocks(blocks: readonly (string | null)[]): string {
  let joined = '';
  let isSeparated = false;
  for (const block of blocks) {
    if (block === null) isSeparated = true;
    else if (block.trim() !== '' && isSeparated && joined.trim() !== '') {
      joined = `${joined.trimEnd()}\n\n${block.trimStart()}`;
      isSeparated = false;
    } else if (block.trim() !== '' || !isSeparated) {
      joined += block;
      isSeparated = false;
    }
  }
  return joined;
}

/** Markup that is not shown: the word starts after it. A footnote ("[1]") is not a word. */
const wordStart = /^(?:<[a-z]{1,10}>|[*_~`]|\[(?!\^?\d{1,3}\])){0,8}[\p{L}\p{N}]/iu;
/** Marks that open or connect ("**", "(", "T-", "L'"): the next text continues the word. */
const openEnd = /(?:(?:^|\s)[*_~`]{1,4}|[-‐–/([{<"“„«#@$€£&+=]|(?<!\p{L})\p{L}{1,2}['’])$/u;

/** Whether joining two texts makes one word of the last and the first word ("Notion" and "**Asana**"). */
export function wordsMeet(before: string, after: string): boolean {
  return /\S$/.test(before) && !openEnd.test(before.slice(-5)) && wordStart.test(after);
}

export type AnswerBlock = { kind: 'text' | 'tool' | 'other'; hasCitations?: boolean };

/**
 * For each block, whether its text belongs to the answer. Tool blocks divide the texts into runs. A run before a tool
 * announces the next search ("I'll look for alternatives to Acme"), unless it has citations: announcements never cite.
 * Where only such runs exist, the last one is the answer, but not if the answer was cut off.
 */
export function selectAnswer(blocks: readonly AnswerBlock[], { isCut = false } = {}): boolean[] {
  let tools = 0;
  const runs = blocks.map(({ kind }) => (kind === 'tool' ? (tools += 1) : tools));
  const answerRuns = new Set(runs.filter((_run, index) => blocks[index]?.hasCitations));
  const lastTextRun = runs[blocks.findLastIndex(({ kind }) => kind === 'text')];
  const isLast = lastTextRun === tools;
  if (lastTextRun !== undefined && (isLast || (answerRuns.size === 0 && !isCut))) answerRuns.add(lastTextRun);
  return runs.map((run) => answerRuns.has(run));
}
