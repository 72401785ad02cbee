import { readFileSync } from 'node:fs';
import { z } from 'zod';
import { nameKey, readAnswer } from '../src/index.ts';

const Answer = z.strictObject({
  id: z.string(),
  language: z.string(),
  /** Where it was recorded, and the licence. */
  source: z.string(),
  /** Domains that it cites. */
  sources: z.array(z.string()),
  text: z.string(),
  /** What it offers or lists as an answer: companies, brands, products. */
  names: z.array(z.string()),
  /** What it names in passing, neither right nor wrong. */
  also: z.array(z.string()),
});

export type LabelledAnswer = z.infer<typeof Answer>;
export type AnswerSet = 'tuned' | 'held-out' | 'written';

export function readAnswers(set: AnswerSet): LabelledAnswer[] {
  const text = readFileSync(new URL(`answers/${set}.jsonl`, import.meta.url), 'utf8');
  return text
    .trim()
    .split('\n')
    .map((line) => Answer.parse(JSON.parse(line)));
}

type Counts = { found: number; missed: number; wrong: number };
export type NameScore = { frequent: Counts; single: Counts; mistakes: string[] };

/** Compares the names of the extraction with the labels. A name is frequent if two answers have it. */
export function scoreNames(answers: readonly LabelledAnswer[]): NameScore {
  const read = answers.map((answer) => {
    const sources = answer.sources.map((domain) => ({ domain, cited: true }));
    const others = readAnswer({ answerText: answer.text, sources, brands: [] }).others;
    return {
      id: answer.id,
      labels: new Set(answer.names.map(nameKey)),
      passing: new Set(answer.also.map(nameKey)),
      found: new Set(others.map(({ key }) => key)),
    };
  });
  const uses = new Map<string, number>();
  for (const { labels, found } of read)
    for (const key of new Set([...labels, ...found])) uses.set(key, (uses.get(key) ?? 0) + 1);
  const score: NameScore = { frequent: newCounts(), single: newCounts(), mistakes: [] };
  for (const { id, labels, passing, found } of read) {
    for (const key of new Set([...labels, ...found])) {
      const counts = (uses.get(key) ?? 0) > 1 ? score.frequent : score.single;
      if (labels.has(key) && found.has(key)) counts.found += 1;
      else if (labels.has(key)) {
        counts.missed += 1;
        score.mistakes.push(`${id}: missed ${key}`);
      } else if (!passing.has(key)) {
        counts.wrong += 1;
        score.mistakes.push(`${id}: wrong ${key}`);
      }
    }
  }
  return score;
}

const newCounts = (): Counts => ({ found: 0, missed: 0, wrong: 0 });

export const nameRecall = ({ found, missed }: Counts): number => found / Math.max(1, found + missed);
export const namePrecision = ({ found, wrong }: Counts): number => found / Math.max(1, found + wrong);
