import { findBrands } from '../mentions/find-brands.ts';
import type { TrackedBrand } from '../names/tracked-brand.ts';
import type { PassageKind } from './scopes.ts';
import { readStatements, type Statement } from './statements.ts';

/** A part of an answer that is about a brand, and how it is known to be. */
type Passage = { kind: PassageKind; text: string };

/** A brand, by its index in the list, and the passages about it. */
export type BrandPassages = { brand: number; passages: Passage[] };

/** Limits of the input of the LLM judge for each brand. */
const maxPassages = 8;
const maxContextLength = 250;
const maxPassageLength = 2 * maxContextLength;
const maxLabelLength = 80;

/** The passages about each brand in order. Brands that are not named are omitted. */
export function brandPassages(answerText: string, brands: readonly TrackedBrand[]): BrandPassages[] {
  const found = findBrands(answerText, brands);
  const passages = brands.map((): Passage[] => []);
  for (const statement of readStatements(found).statements) {
    for (const { brand, kind } of statement.targets) {
      const of = passages[brand];
      if (of !== undefined) addPassage(of, { kind, text: toText(found.text, statement, brand) });
    }
  }
  return passages.flatMap((of, brand) => (of.length === 0 ? [] : { brand, passages: of }));
}

/** Adds a passage, or appends it to the previous one of its kind if both are short. */
function addPassage(passages: Passage[], passage: Passage): void {
  const last = passages.at(-1);
  if (last?.kind === passage.kind && last.text.length + passage.text.length < maxPassageLength)
    last.text += `\n${passage.text}`;
  else if (passages.length < maxPassages) passages.push(passage);
}

/** The text of a statement, cut around the name of the brand if it is long. */
function toText(text: string, { start, end, label, mentions }: Statement, brand: number): string {
  const name = mentions.find((mention) => mention.brand === brand) ?? { start, end: start };
  const from = Math.max(start, name.start - maxContextLength);
  const to = Math.min(end, Math.max(name.end, start) + maxContextLength);
  const said = text
    .slice(from, to)
    .replace(/^[\s,;，、；|–—]+/u, '')
    .trimEnd();
  if (label === null) return said;
  const header = text.slice(label.start, Math.min(label.end, label.start + maxLabelLength));
  return `${header.trim().replace(/[:：]$/, '')}: ${said}`;
}
