import type { EditedText, Piece } from './edited-text.ts';
import { labelPieces } from './link-labels.ts';

// Every repetition is bounded, because answers are untrusted input.
const label = String.raw`\[((?:[^[\]\n]|\[[^[\]\n]{0,100}\]){0,400})\]`;
const innerGroup = String.raw`\((?:[^()\s]|\([^()\s]{0,200}\)){0,200}\)`;
const title = String.raw`(?:\s{1,5}(?:"[^"\n]{0,300}"|'[^'\n]{0,300}'|\([^()\n]{0,300}\)))?`;
const target = String.raw`\(\s{0,3}(?:<[^<>\n]{0,2048}>|(?:[^()\s<>]|${innerGroup}){0,2048})${title}\s{0,3}\)`;
const reference = String.raw`\s?\[([^[\]\n]{0,200})\]`;
const image = new RegExp(String.raw`!${label}(?:${target}|\[[^[\]\n]{0,200}\])`, 'g');
const inlineLink = new RegExp(label + target, 'g');
const referenceLink = new RegExp(label + reference, 'g');
const shortcutLink = new RegExp(label, 'g');
const htmlLink = /<a\s[^<>]{0,2100}>((?:[^<]|<(?!\/?a\b)[^<>]{0,500}>){0,400})<\/a\s{0,5}>/gi;
/** Parentheses that hold only links: ChatGPT's format of sources. */
const citationGroup = new RegExp(String.raw`\(\s{0,5}(?:${label}${target}[\s,;]{0,5}){1,20}\)`, 'g');
/** "[acme]: https://…" defines the target of reference links; "[1] https://…" is a line of a list of sources. */
const definition = /^\s{0,3}\[([^[\]\n]{1,200})\]:\s{0,5}<?https?:\/\/\S{1,2048}.*$/gm;
const footnoteDefinition = /^\s{0,3}\[\^?\d{1,3}\]:?\s{1,3}<?https?:\/\/\S{1,2048}.*$/gm;
const escapedBracket = /\\(?=[[\]()])/g;

/**
 * Replaces links by their labels. Removes images, definitions, footnote marks and addresses in labels. An address whose
 * host is one of `hostNames` stays.
 */
export function removeLinks(answer: EditedText, hostNames: ReadonlySet<string>): EditedText {
  const edited = answer.replace(escapedBracket, '');
  const defined = new Set(Array.from(edited.text.matchAll(definition), ([, id = '']) => id.toLowerCase()));
  const shown = (label: string, start: number): Piece[] =>
    isFootnote(label) ? [' '] : labelPieces(label, start, hostNames);
  const unchanged = ({ 0: match, index }: RegExpExecArray): Piece[] => [
    { start: index, end: index + match.length },
  ];
  return edited
    .replace(definition, ' ')
    .replace(footnoteDefinition, ' ')
    .replace(image, ' ')
    .replace(citationGroup, ' ')
    .replace(inlineLink, ({ 1: label = '', index }) => shown(label, index + 1))
    .replace(referenceLink, (match) => {
      const [, label = '', id = ''] = match;
      const isReference = isFootnote(id) || defined.has(id.toLowerCase());
      return isReference ? shown(label, match.index + 1) : unchanged(match);
    })
    .replace(shortcutLink, (match) => {
      const [, label = ''] = match;
      return defined.has(label.toLowerCase()) ? shown(label, match.index + 1) : unchanged(match);
    })
    .replace(htmlLink, ({ 0: match, 1: label = '', index }) => shown(label, index + match.indexOf('>') + 1));
}

function isFootnote(content: string): boolean {
  return /^(?:\[?\^?\d{1,3}\]?)?$/.test(content.trim());
}
