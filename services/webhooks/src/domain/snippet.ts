import { controlCharacter } from '@bv/contract';

const controlCharacters = new RegExp(controlCharacter, 'g');
/** Characters that reorder or break displayed lines: bidirectional controls, line and paragraph separators. */
const invisibleControls = /[\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/g;

/**
 * Converts the start of a response to text for partners: valid UTF-8 without control characters, except tabs and line
 * feeds. An incomplete character at the end is omitted.
 */
export function toSnippet(bytes: Buffer): string {
  const text = new TextDecoder().decode(bytes, { stream: true });
  return text
    .replaceAll(controlCharacters, (control) => (control === '\t' || control === '\n' ? control : ''))
    .replaceAll(invisibleControls, '');
}
