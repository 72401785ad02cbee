import { readFileSync } from 'node:fs';
import { extract } from '../src/extract.ts';
import type { TrackedBrand } from '../src/names/tracked-brand.ts';
import { brandPassages } from '../src/passages/passages.ts';

export const tones = ['positive', 'neutral', 'negative'] as const;
export type Tone = (typeof tones)[number];

/** A text with the tone towards each brand in it, as a reader labelled it. */
export type LabelledPassage = {
  language: string;
  /**
   * What makes the passage hard: `trade`, `layout`, `comparison`, `negation`, `name`, `pronoun`, `proper`, `price`,
   * `recommendation`, `concession` or `plain`.
   */
  kind: string;
  text: string;
  brands: Record<string, Tone>;
  /** Words that show the tone towards a brand, where another brand or no brand is next to them. */
  evidence?: Record<string, string>;
};

/** Returns the sentiment of each brand of a passage, 0 to 100, in the order of `brands`. */
export type ToneRater = (passage: LabelledPassage, brands: readonly TrackedBrand[]) => (number | null)[];

/** Counts of brands by label (rows) and rated tone (columns). */
export type Confusion = Record<Tone, Record<Tone, number>>;

export type ToneScore = {
  all: Confusion;
  byLanguage: Map<string, Confusion>;
  byKind: Map<string, Confusion>;
  misses: string[];
};

/** Least share of right tones and greatest share of reversed ones, on passages that are hard to read. */
export const toneTargets = { accuracy: 0.75, reversed: 0.03 };

/** A sentiment of 55 and more is positive, of 45 and less negative. */
const positiveFrom = 55;
const negativeTo = 45;

/** The labelled passages of `tones/tuned.json` or `tones/held-out.json`. Held-out passages are not used for tuning. */
export function readPassages(name: 'tuned' | 'held-out'): LabelledPassage[] {
  const file = new URL(`tones/${name}.json`, import.meta.url);
  return (JSON.parse(readFileSync(file, 'utf8')) as { passages: LabelledPassage[] }).passages;
}

export function scoreTones(passages: readonly LabelledPassage[], rate: ToneRater): ToneScore {
  const score: ToneScore = {
    all: emptyConfusion(),
    byLanguage: new Map(),
    byKind: new Map(),
    misses: [],
  };
  for (const passage of passages) {
    const { language, kind, text, brands } = passage;
    const names = Object.keys(brands);
    const sentiments = rate(passage, names.map(toTrackedBrand));
    for (const [index, name] of names.entries()) {
      const label = brands[name] ?? 'neutral';
      const rated = toTone(sentiments[index] ?? 50);
      for (const confusion of [score.all, of(score.byLanguage, language), of(score.byKind, kind)]) {
        confusion[label][rated] += 1;
      }
      if (rated !== label)
        score.misses.push(`${language} ${kind}: ${name} ${label}, rated ${rated}: ${text}`);
    }
  }
  return score;
}

/** The rater of the product without an LLM judge. */
export const rateByLexicon: ToneRater = ({ text }, brands) =>
  extract({ answerText: text, sources: [], brands }).map(({ sentiment }) => sentiment);

const labelSentiments: Record<Tone, number> = { positive: 100, neutral: 50, negative: 0 };

/**
 * A scripted LLM judge that reads only the passages of a brand. It knows the label if they hold the evidence for the
 * brand. It takes the evidence for another brand as one for this brand, because both look the same to a model.
 */
export const rateByScript: ToneRater = ({ text, brands: labels, evidence = {} }, brands) => {
  const found = brandPassages(text, brands);
  return brands.map(({ name }, index) => {
    const passages = found.find(({ brand }) => brand === index)?.passages ?? [];
    const read = passages.map((passage) => passage.text).join('\n');
    const other = Object.entries(evidence).find(([brand, words]) => brand !== name && read.includes(words));
    const own = evidence[name];
    const isFound = own === undefined ? passages.length > 0 : read.includes(own);
    const label = labels[name] ?? 'neutral';
    if (other !== undefined && other[1] !== own) return labelSentiments[labels[other[0]] ?? 'neutral'];
    return labelSentiments[isFound ? label : 'neutral'];
  });
};

/** Share of brands whose rated tone is the label. */
export function accuracy(confusion: Confusion): number {
  return tones.reduce((sum, tone) => sum + confusion[tone][tone], 0) / size(confusion);
}

/** Share of brands rated positive instead of negative, or the reverse. */
export function reversed(confusion: Confusion): number {
  return (confusion.positive.negative + confusion.negative.positive) / size(confusion);
}

/** Lines of text: the confusion matrix of all, then one line for each language and kind. */
export function toReport(title: string, { all, byLanguage, byKind }: ToneScore): string[] {
  const row = (label: Tone): string =>
    `  ${label.padEnd(9)} ${tones.map((tone) => String(all[label][tone]).padStart(9)).join(' ')}`;
  return [
    `${title}: ${toLine(all)}`,
    `  label     ${tones.map((tone) => tone.padStart(9)).join(' ')}`,
    ...tones.map(row),
    ...[...byLanguage, ...byKind].map(([name, confusion]) => `  ${name.padEnd(12)} ${toLine(confusion)}`),
  ];
}

function toLine(confusion: Confusion): string {
  const percent = (share: number): string => `${(share * 100).toFixed(1)} %`;
  return `${size(confusion)} brands, ${percent(accuracy(confusion))} right, ${percent(reversed(confusion))} reversed`;
}

function toTone(sentiment: number): Tone {
  if (sentiment >= positiveFrom) return 'positive';
  return sentiment <= negativeTo ? 'negative' : 'neutral';
}

function toTrackedBrand(name: string, index: number): TrackedBrand {
  return { id: name, name, domain: `unused-${index}.example`, aliases: [], isOwn: index === 0 };
}

function size(confusion: Confusion): number {
  return tones.flatMap((tone) => Object.values(confusion[tone])).reduce((sum, count) => sum + count, 0);
}

function of(confusions: Map<string, Confusion>, name: string): Confusion {
  const confusion = confusions.get(name) ?? emptyConfusion();
  confusions.set(name, confusion);
  return confusion;
}

function emptyConfusion(): Confusion {
  const row = (): Record<Tone, number> => ({ positive: 0, neutral: 0, negative: 0 });
  return { positive: row(), neutral: row(), negative: row() };
}
