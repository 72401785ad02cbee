const openingTag = /(?<!`)<think(?:ing)?>/i;
/** An unclosed block of thoughts starts a line. Inside a line, the tag is text. */
const unclosedTag = /(?:^|\n)\s{0,20}<think(?:ing)?>/i;
const closingTag = /(?<!`)<\/think(?:ing)?>/gi;

/**
 * Removes the model's thoughts. Reasoning models write them before the answer, between `<think>` and `</think>`. The
 * opening tag may be absent. The closing tag is absent if the answer was cut off.
 */
export function withoutThoughts(content: string): string {
  let rest = '';
  let from = 0;
  for (const { index, 0: tag } of content.matchAll(closingTag)) {
    const block = content.slice(from, index);
    const opened = openingTag.exec(block);
    // Without an opening tag, everything before the closing tag is thoughts.
    rest = opened === null ? '' : rest + block.slice(0, opened.index);
    from = index + tag.length;
  }
  const last = content.slice(from);
  const answer = rest + last.slice(0, unclosedTag.exec(last)?.index);
  return answer === content ? content : answer.trim();
}

const number = String.raw`(?:web:)?(\d{1,2})`;
const marker = new RegExp(
  String.raw`\[\s?\^?(?:web:)?\d{1,2}(?:\s?[,;–-]\s?(?:web:)?\d{1,2}){0,30}\s?\]`,
  'g',
);
const item = new RegExp(String.raw`${number}(?:\s?[–-]\s?${number})?`, 'g');

/**
 * The source numbers that the text cites, in order of first occurrence: `[1]`, `[1, 2]`, `[1-3]`, `[web:1]`. A number
 * above the length of the list is still a marker. A number of three digits is not.
 */
export function markedNumbers(text: string): number[] {
  const numbers = Array.from(text.matchAll(marker), ([match]) =>
    Array.from(match.matchAll(item), ([, first, last = first]) => range(Number(first), Number(last))),
  ).flat(2);
  return [...new Set(numbers.filter((each) => each >= 1))];
}

function range(first: number, last: number): number[] {
  return Array.from({ length: Math.max(1, last - first + 1) }, (_, index) => first + index);
}
