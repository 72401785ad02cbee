import { readdirSync, readFileSync } from 'node:fs';
import type { TrackedBrand } from '../src/extraction/brand-matcher.ts';
import { extract } from '../src/extraction/extract.ts';

type Tone = 'positive' | 'neutral' | 'negative';
type Sentence = {
  text: string;
  /** Brands a reader finds named, in order, and the tone toward each. */
  brands: Record<string, Tone>;
};

export type LabelledScore = {
  language: string;
  sentences: number;
  truePositives: number;
  falsePositives: number;
  falseNegatives: number;
  ordersRight: number;
  tonesRight: number;
  /** Good taken for bad or the reverse: worse than taking either for neutral. */
  tonesReversed: number;
  misses: string[];
};

const folder = new URL('labelled/', import.meta.url);
/** A tone is called neutral this far around 50. */
const neutralBand = 5;

function read<T>(name: string): T {
  return JSON.parse(readFileSync(new URL(name, folder), 'utf8')) as T;
}

/** Scores the extraction on every file of labelled sentences, each sentence against all brands at once. */
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
      .filter((finding) => finding.mentioned)
      .toSorted((a, b) => (a.position ?? 0) - (b.position ?? 0));
    const expected = Object.keys(sentence.brands);
    result.sentences += 1;
    if (found.map((finding) => finding.brandId).join() === expected.join()) result.ordersRight += 1;
    else result.misses.push(`${language}: ${sentence.text}`);
    result.falseNegatives += expected.filter((id) => !found.some((finding) => finding.brandId === id)).length;
    for (const { brandId, sentiment } of found) {
      const label = sentence.brands[brandId];
      if (label === undefined) result.falsePositives += 1;
      else countTone(result, label, toneOf(sentiment ?? 50));
    }
  }
  return result;
}

function countTone(result: LabelledScore, label: Tone, tone: Tone): void {
  result.truePositives += 1;
  if (label === tone) result.tonesRight += 1;
  else if (label !== 'neutral' && tone !== 'neutral') result.tonesReversed += 1;
}

function toneOf(sentiment: number): Tone {
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
    ordersRight: 0,
    tonesRight: 0,
    tonesReversed: 0,
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
    sum.ordersRight += each.ordersRight;
    sum.tonesRight += each.tonesRight;
    sum.tonesReversed += each.tonesReversed;
    sum.misses.push(...each.misses);
  }
  return sum;
}

export function precision({ truePositives, falsePositives }: LabelledScore): number {
  return truePositives / (truePositives + falsePositives);
}

export function recall({ truePositives, falseNegatives }: LabelledScore): number {
  return truePositives / (truePositives + falseNegatives);
}

export function toneAccuracy({ truePositives, tonesRight }: LabelledScore): number {
  return tonesRight / truePositives;
}

/** A line for people: figures of one language or of all. */
export function toLine(each: LabelledScore): string {
  const figures = [precision(each), recall(each), toneAccuracy(each)].map((value) => value.toFixed(3));
  const [mentionPrecision, mentionRecall, tone] = figures;
  return `${each.language.padEnd(9)} ${String(each.sentences).padStart(4)} sentences  mentions: precision ${mentionPrecision} recall ${mentionRecall}  tone: ${tone}, ${each.tonesReversed} reversed`;
}
