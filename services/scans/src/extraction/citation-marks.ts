/**
 * Marks of ChatGPT's citations that reach the text. Every repetition is bounded.
 * 1. A span between the private-use characters U+E200 and U+E201: "cite", U+E202, "turn0search0".
 * 2. The same without its end or without its marks.
 * 3. Single marks.
 * 4. "【4†source】".
 */
const citationMark = new RegExp(
  [
    String.raw`\uE200[^\uE200\uE201\n]{0,500}\uE201`,
    String.raw`\uE200[a-z_]{0,20}(?:(?:\uE202[\w-]{0,60}){1,20}|$)`,
    String.raw`cite(?:turn\d{1,4}[a-z]{2,20}\d{1,4}){1,20}`,
    String.raw`[\uE200-\uE206]`,
    String.raw`【[^【】†\n]{0,40}†[^【】\n]{0,200}】`,
  ].join('|'),
  'gu',
);
/** What every mark has: most texts have none. */
const anyMark = /[\uE200-\uE206†]|citeturn/;
const wordCharacter = /[\p{L}\p{N}]/u;

/** The text without the marks. Two words stay two where a mark stood between them. */
export function withoutCitationMarks(text: string): string {
  if (!anyMark.test(text)) return text;
  return text.replace(citationMark, (mark, offset: number) =>
    wordCharacter.test(text.charAt(offset - 1)) && wordCharacter.test(text.charAt(offset + mark.length))
      ? ' '
      : '',
  );
}
