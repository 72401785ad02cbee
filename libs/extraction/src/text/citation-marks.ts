import { EditedText } from './edited-text.ts';

/**
 * Marks of ChatGPT that reach the text. Every repetition is bounded.
 * 1. A span between the private-use characters U+E200 and U+E201. It holds a kind and, after U+E202, its values:
 *    "cite", "turn0search0" or "entity", '["company","Acme","kettle maker"]'.
 * 2. A citation without its end or without its private-use characters.
 * 3. The kind of a mark without an end, and single private-use characters.
 * 4. "【4†source】".
 */
const mark = new RegExp(
  [
    String.raw`\uE200(?<span>[^\uE200\uE201\n]{0,2000})\uE201`,
    String.raw`\uE200[a-z_]{0,20}(?:(?:\uE202turn[\w-]{0,60}){1,20}|$)`,
    String.raw`\uE200[a-z_]{0,20}\uE202`,
    String.raw`cite(?:turn\d{1,4}[a-z]{2,20}\d{1,4}){1,20}`,
    String.raw`[\uE200-\uE206]`,
    String.raw`【[^【】†\n]{0,40}†[^【】\n]{0,200}】`,
  ].join('|'),
  'gu',
);
/** A cheap pre-check: every mark contains one of these or "citeturn", most texts contain none. */
const anyMark = /[\uE200-\uE206†]/;
const wordCharacter = /[\p{L}\p{N}]/u;
/** Kinds that show a source, an image or a control instead of words of the text. */
const silentKind = /cite|image|^(?:i|video|navlist|products|genui|forecast|finance|schedule|standing|map)$/;
const reference = /^(?:turn\d{1,4}[a-z]{2,20}\d{1,4}[\s,|]{0,3}){1,20}$/;
const address = /^https?:\/\/\S*$/i;

/** Replaces the marks by the words that they show. */
export function withoutCitationMarks(text: string): string {
  return removeCitationMarks(new EditedText(text)).text;
}

/** Replaces the marks by the words that they show. Inserts a space if two words would be joined. */
export function removeCitationMarks(edited: EditedText): EditedText {
  const { text } = edited;
  if (!anyMark.test(text) && !text.includes('citeturn')) return edited;
  return edited.replace(mark, ({ 0: match, 1: span, index }) => {
    const shown = span === undefined ? '' : shownText(span);
    const before = text.charAt(index - 1);
    const after = text.charAt(index + match.length);
    if (shown === '') return [separator(before, after)];
    const at = index + match.indexOf(shown, kindOf(span ?? '').length + 1);
    const written = at < index ? shown : { start: at, end: at + shown.length };
    return [separator(before, shown), written, separator(shown.slice(-1), after)];
  });
}

function separator(before: string, after: string): string {
  return wordCharacter.test(before) && wordCharacter.test(after.charAt(0)) ? ' ' : '';
}

function kindOf(span: string): string {
  return /^[a-z_]{0,40}/.exec(span)?.[0] ?? '';
}

/** The words that a mark shows: the name of an entity, the title of a link. */
function shownText(span: string): string {
  const kind = kindOf(span);
  if (silentKind.test(kind)) return '';
  const values = span.slice(kind.length).split('\uE202').flatMap(parseValues);
  return values.map((value) => value.trim()).find((value) => value !== '' && !isTarget(value)) ?? '';
}

/** The values of one part. In a list, the first value is the category of an entity, followed by its name. */
function parseValues(part: string): string[] {
  if (!/^[[{]/.test(part)) return [part];
  const list = parseList(part);
  if (!Array.isArray(list)) return [];
  const [first, ...names] = list.filter((value) => typeof value === 'string');
  return names.length > 0 ? names : [first ?? ''];
}

function parseList(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    // A list that is cut off: the texts in quotation marks.
    return json.startsWith('[') ? json.split('"').filter((_, index) => index % 2 === 1) : null;
  }
}

function isTarget(value: string): boolean {
  return reference.test(value) || address.test(value);
}
