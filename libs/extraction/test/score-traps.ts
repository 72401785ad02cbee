import { readFileSync } from 'node:fs';
import { extract, type BrandResult } from '../src/extract.ts';
import type { TrackedBrand } from '../src/names/tracked-brand.ts';
import { precision, recall } from './score-labelled.ts';

export const trapKinds = [
  'common word',
  'absence',
  'inside a longer name',
  'legal form',
  'name variant',
  'case ending',
] as const;

type Brand = {
  name: string;
  domain: string;
  aliases: string[];
  match?: { case_sensitive: boolean; exclude: string[] };
};

/** A passage whose words mislead a search for names, with what a careful reader decides by the rules of the brand. */
export type Trap = {
  id: string;
  language: string;
  kind: (typeof trapKinds)[number];
  brand: Brand;
  /** Further brands that the same search looks for. */
  others?: (Brand & { mentioned: boolean })[];
  text: string;
  mentioned: boolean;
  /** Number of occurrences, where it differs from what a search without the rules finds. */
  count?: number;
  /** Neither the case nor an excluded phrase decides it, only `verify`: outside the score. */
  remedy?: 'verify';
};

export type TrapCounts = {
  truePositives: number;
  falsePositives: number;
  falseNegatives: number;
  trueNegatives: number;
};

export type TrapScore = {
  all: TrapCounts;
  byKind: Map<string, TrapCounts>;
  byLanguage: Map<string, TrapCounts>;
  /** Traps with a label `count`, and how many of them were counted right. */
  counted: number;
  rightCounts: number;
  misses: string[];
};

/** Least precision and recall of `mentioned` in each half. */
export const trapTargets = { precision: 0.95, recall: 0.95 };

/** The passages of `traps/tuned.json` or `traps/held-out.json`. Held-out passages are not used for tuning. */
export function readTraps(name: 'tuned' | 'held-out'): Trap[] {
  const file = new URL(`traps/${name}.json`, import.meta.url);
  return (JSON.parse(readFileSync(file, 'utf8')) as { items: Trap[] }).items;
}

export function scoreTraps(traps: readonly Trap[]): TrapScore {
  const score: TrapScore = {
    all: noCounts(),
    byKind: new Map(),
    byLanguage: new Map(),
    counted: 0,
    rightCounts: 0,
    misses: [],
  };
  for (const trap of traps) if (trap.remedy === undefined) addTrap(score, trap);
  return score;
}

function addTrap(score: TrapScore, trap: Trap): void {
  const labels = [{ ...trap.brand, mentioned: trap.mentioned }, ...(trap.others ?? [])];
  const found = extract({ answerText: trap.text, sources: [], brands: labels.map(toTrackedBrand) });
  for (const [index, { name, mentioned }] of labels.entries()) {
    const isFound = found[index]?.mentioned ?? false;
    for (const counts of [score.all, of(score.byKind, trap.kind), of(score.byLanguage, trap.language)]) {
      counts[outcome(mentioned, isFound)] += 1;
    }
    if (isFound !== mentioned)
      score.misses.push(`${trap.id}: ${name} ${mentioned ? 'missed' : 'found'}: ${trap.text}`);
  }
  addCount(score, trap, found[0]);
}

function addCount(score: TrapScore, { id, count, text }: Trap, found: BrandResult | undefined): void {
  if (count === undefined) return;
  score.counted += 1;
  if (found?.mentionCount === count) score.rightCounts += 1;
  else score.misses.push(`${id}: ${found?.mentionCount} occurrences instead of ${count}: ${text}`);
}

function outcome(mentioned: boolean, isFound: boolean): keyof TrapCounts {
  if (mentioned) return isFound ? 'truePositives' : 'falseNegatives';
  return isFound ? 'falsePositives' : 'trueNegatives';
}

function toTrackedBrand({ name, domain, aliases, match }: Brand, index: number): TrackedBrand {
  return {
    id: String(index),
    name,
    domain,
    aliases,
    isOwn: index === 0,
    match: {
      caseSensitive: match?.case_sensitive ?? false,
      exclude: match?.exclude ?? [],
      verify: false,
    },
  };
}

/** Lines of text: all, then one line for each kind and language. */
export function toTrapReport(title: string, score: TrapScore): string[] {
  return [
    `${title}: ${toTrapLine(score.all)}, ${score.rightCounts} of ${score.counted} counts right`,
    ...[...score.byKind, ...score.byLanguage].map(
      ([name, counts]) => `  ${name.padEnd(20)} ${toTrapLine(counts)}`,
    ),
  ];
}

function toTrapLine(counts: TrapCounts): string {
  const size = Object.values(counts).reduce((sum, count) => sum + count, 0);
  const wrong = `${counts.falsePositives} found wrongly, ${counts.falseNegatives} missed`;
  return `${String(size).padStart(3)} labels, precision ${toShare(precision(counts))} recall ${toShare(recall(counts))}, ${wrong}`;
}

/** A group without a found or a mentioned brand has no share. */
function toShare(share: number): string {
  return Number.isNaN(share) ? '    -' : share.toFixed(3);
}

function of(groups: Map<string, TrapCounts>, name: string): TrapCounts {
  const counts = groups.get(name) ?? noCounts();
  groups.set(name, counts);
  return counts;
}

function noCounts(): TrapCounts {
  return { truePositives: 0, falsePositives: 0, falseNegatives: 0, trueNegatives: 0 };
}
