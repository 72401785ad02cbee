import { readdirSync, readFileSync } from 'node:fs';
import { extract } from '../src/extract.ts';
import type { TrackedBrand } from '../src/names/tracked-brand.ts';

type Tone = 'positive' | 'neutral' | 'negative';
type Sentence = {
  text: string;
  /** The labels: brands that the sentence names, in order, and the tone towards each. */
  brands: Record<string, Tone>;
};

export type LabelledScore = {
  language: string;
  sentences: number;
  truePositives: number;
  falsePositives: number;
  falseNegatives: number;
  correctOrders: number;
  correctTones: number;
  /** Positive instead of negative or the reverse: worse than neutral instead of either. */
  reversedTones: number;
  misses: string[];
};

const folder = new URL('labelled/', import.meta.url);
/** A sentiment within this distance of 50 is neutral. */
const neutralBand = 5;

function read<T>(name: string): T {
  return JSON.parse(readFileSync(new URL(name, folder), 'utf8')) as T;
}

/** Scores the extraction on every file of labelled sentences. Each sentence is searched for all brands. */
export function scoreLabelled(): { tuned: LabelledScore[]; heldOut: LabelledScore } {
  const brands = read<TrackedBrand[]>('brands.json');
  const files = readdirSync(folder).filter((name) => /^[a-z]{2}\.json$/.test(name));
  return {
    tuned: files
      .toSorted()
      .map((name) => score(name.slice(0, 2), read<{ sentences: Sentence[] }>(name).sentences, brands)),
    heldOut: score('held-out', read<{ sentences: Sentence[] }>('held-out.json').sentences, brands),
  };
}

function score(language: string, sentences: Sentence[], brands: TrackedBrand[]): LabelledScore {
  const result = emptyScore(language);
  for (const sentence of sentences) {
    const found = extract({ answerText: sentence.text, sources: [], brands })
      .filter((result) => result.mentioned)
      .toSorted((a, b) => (a.position ?? 0) - (b.position ?? 0));
    const expected = Object.keys(sentence.brands);
    result.sentences += 1;
    if (found.map((result) => result.brandId).join() === expected.join()) result.correctOrders += 1;
    else result.misses.push(`${language}: ${sentence.text}`);
    result.falseNegatives += expected.filter((id) => !found.some((result) => result.brandId === id)).length;
    for (const { brandId, sentiment } of found) {
      const label = sentence.brands[brandId];
      if (label === undefined) result.falsePositives += 1;
      else countTone(result, label, toTone(sentiment ?? 50));
    }
  }
  return result;
}

function countTone(result: LabelledScore, label: Tone, tone: Tone): void {
  result.truePositives += 1;
  if (label === tone) result.correctTones += 1;
  else if (label !== 'neutral' && tone !== 'neutral') result.reversedTones += 1;
}

function toTone(sentiment: number): Tone {
  if (sentiment > 50 + neutralBand) return 'positive';
  return sentiment < 50 - neutralBand ? 'negative' : 'neutral';
}

function emptyScore(language: string): LabelledScore {
  return {
    language,
    sentences: 0,
    truePositives: 0,
    falsePositives: 0,
    falseNegatives: 0,
    correctOrders: 0,
    correctTones: 0,
    reversedTones: 0,
    misses: [],
  };
}

export function total(scores: readonly LabelledScore[]): LabelledScore {
  const sum = emptyScore('all');
  for (const each of scores) {
    sum.sentences += each.sentences;
    sum.truePositives += each.truePositives;
    sum.falsePositives += each.falsePositives;
    sum.falseNegatives += each.falseNegatives;
    sum.correctOrders += each.correctOrders;
    sum.correctTones += each.correctTones;
    sum.reversedTones += each.reversedTones;
    sum.misses.push(...each.misses);
  }
  return sum;
}

export function precision({
  truePositives,
  falsePositives,
}: Pick<LabelledScore, 'truePositives' | 'falsePositives'>): number {
  return truePositives / (truePositives + falsePositives);
}

export function recall({
  truePositives,
  falseNegatives,
}: Pick<LabelledScore, 'truePositives' | 'falseNegatives'>): number {
  return truePositives / (truePositives + falseNegatives);
}

export function toneAccuracy({ truePositives, correctTones }: LabelledScore): number {
  return correctTones / truePositives;
}

/** One line of text with the figures of a language or of all. */
export function toLine(each: LabelledScore): string {
  const figures = [precision(each), recall(each), toneAccuracy(each)].map((value) => value.toFixed(3));
  const [mentionPrecision, mentionRecall, tone] = figures;
  return `${each.language.padEnd(9)} ${String(each.sentences).padStart(4)} sentences  mentions: precision ${mentionPrecision} recall ${mentionRecall}  tone: ${tone}, ${each.reversedTones} reversed`;
}
