import { readFileSync } from 'node:fs';
import type { Ratings } from '../src/labels/agreement.ts';
import { type LabelledPassage, toBrands, type Tone } from '../src/labels/labelled-passages.ts';
import { brandPassages } from '../src/passages/passages.ts';

/**
 * The kind is what makes it hard: `trade`, `layout`, `comparison`, `negation`, `name`, `pronoun`, `proper`, `price`,
 * `recommendation`, `concession` or `plain`.
 */
export type HardPassage = LabelledPassage & {
  /** Words that show the tone towards a brand, where another brand or no brand is next to them. */
  evidence?: Record<string, string>;
};

/** Least share of right tones and greatest share of reversed ones, on passages that are hard to read. */
export const toneTargets = { accuracy: 0.75, reversed: 0.03 };

/** The labelled passages of `tones/tuned.json` or `tones/held-out.json`. Held-out passages are not used for tuning. */
export function readPassages(name: 'tuned' | 'held-out'): HardPassage[] {
  const file = new URL(`tones/${name}.json`, import.meta.url);
  return (JSON.parse(readFileSync(file, 'utf8')) as { passages: HardPassage[] }).passages;
}

const labelSentiments: Record<Tone, number> = { positive: 100, neutral: 50, negative: 0 };

/** A rater that knows no text: the least that a figure must exceed. */
export const rateAlways = (passages: readonly LabelledPassage[], tone: Tone): Ratings =>
  passages.map(({ brands }) => Object.keys(brands).map(() => labelSentiments[tone]));

/**
 * A scripted LLM judge that reads only the passages of a brand. It knows the label if they hold the evidence for the
 * brand. It takes the evidence for another brand as one for this brand, because both look the same to a model.
 */
export function rateByScript(passages: readonly HardPassage[]): Ratings {
  return passages.map(({ text, brands: labels, evidence = {} }) => {
    const brands = toBrands({ brands: labels });
    const found = brandPassages(text, brands);
    return brands.map(({ name }, index) => {
      const own = found.find(({ brand }) => brand === index)?.passages ?? [];
      const read = own.map((passage) => passage.text).join('\n');
      const other = Object.entries(evidence).find(([brand, words]) => brand !== name && read.includes(words));
      const ownWords = evidence[name];
      const isFound = ownWords === undefined ? own.length > 0 : read.includes(ownWords);
      if (other !== undefined && other[1] !== ownWords) return labelSentiments[labels[other[0]] ?? 'neutral'];
      return labelSentiments[isFound ? (labels[name] ?? 'neutral') : 'neutral'];
    });
  });
}
