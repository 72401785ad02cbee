import { controlCharacter } from '@bv/contract';

const controlCharacters = new RegExp(controlCharacter, 'g');
/** They reorder or break the lines of whatever shows the text: bidirectional controls, line and paragraph separators. */
const invisibleControls = /[\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/g;

/**
 * Text of a receiver as partners see it: valid UTF-8 without control characters, except tabs and line feeds. A character
 * cut at the end of the bytes is omitted.
 */
export function toSnippet(bytes: Buffer): string {
  const text = new TextDecoder().decode(bytes, { stream: true });
  return text
    .replaceAll(controlCharacters, (control) => (control === '\t' || control === '\n' ? control : ''))
    .replaceAll(invisibleControls, '');
}
