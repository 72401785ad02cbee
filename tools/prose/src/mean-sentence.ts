/** Sentences of Markdown text, without code, tables, headings and comments. List items are separate sentences. */
const segmenter = new Intl.Segmenter('en', { granularity: 'sentence' });

function listParagraphs(markdown: string): string[] {
  const text = markdown
    .replaceAll(/^ *```[^]*?^ *```/gm, '')
    .replaceAll(/<!--[^]*?-->/g, '')
    .replaceAll(/^\s*(\||#).*$/gm, '')
    .replaceAll(/^\s*([-*]|\d+\.) /gm, '\n\n');
  return text.split(/\n\s*\n/).map((paragraph) => paragraph.replaceAll(/\s+/g, ' ').trim());
}

const countWords = (sentence: string): number => sentence.split(' ').filter((word) => /\w/.test(word)).length;

/** Mean number of words of a sentence over all texts. */
export function meanSentence(texts: readonly string[]): number {
  const counts = texts
    .flatMap(listParagraphs)
    .flatMap((paragraph) => [...segmenter.segment(paragraph)])
    .map(({ segment }) => countWords(segment))
    .filter((words) => words > 0);
  return counts.reduce((sum, words) => sum + words, 0) / counts.length;
}
