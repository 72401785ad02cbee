import type { Incidence } from '../src/index.ts';

/** The names in an answer to a prompt. */
export type Answer = { prompt: string; names: readonly string[] };

/** Counts the names by their definition. `prompts` has what the totals lose without each prompt. */
export function countIncidence(answers: readonly Answer[]): {
  total: Incidence & { seen: number };
  prompts: Incidence[];
} {
  const total = count(answers);
  const prompts = [...new Set(answers.map(({ prompt }) => prompt))].map((prompt): Incidence => {
    const rest = count(answers.filter((answer) => answer.prompt !== prompt));
    return {
      units: total.units - rest.units,
      incidences: total.incidences - rest.incidences,
      once: total.once - rest.once,
      twice: total.twice - rest.twice,
    };
  });
  return { total, prompts };
}

function count(answers: readonly Answer[]): Incidence & { seen: number } {
  const byName = new Map<string, number>();
  for (const { names } of answers)
    for (const name of new Set(names)) byName.set(name, (byName.get(name) ?? 0) + 1);
  const counts = [...byName.values()];
  return {
    units: answers.length,
    incidences: counts.reduce((sum, each) => sum + each, 0),
    once: counts.filter((each) => each === 1).length,
    twice: counts.filter((each) => each === 2).length,
    seen: counts.length,
  };
}

export type World = {
  names: number;
  answers: number;
  /** Mean number of names in an answer. */
  perAnswer: number;
  /** Exponent of Zipf's law of the names; 0 makes all equally likely. */
  exponent: number;
  /** False names, each seen once, as a share of the names seen once. */
  falseOnce: number;
};

/** A generator of numbers from 0 to 1 (mulberry32). */
export function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d_2b_79_f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** The incidence of a world whose size is known. */
export function drawWorld(
  { names, answers, perAnswer, exponent, falseOnce }: World,
  random: () => number,
): Incidence & { seen: number } {
  const weights = Array.from({ length: names }, (_, rank) => (rank + 1) ** -exponent);
  const sum = weights.reduce((total, weight) => total + weight, 0);
  const counts = weights.map((weight) =>
    drawBinomial(answers, Math.min(0.9, (perAnswer * weight) / sum), random()),
  );
  const once = counts.filter((found) => found === 1).length;
  const added = Math.round((once * falseOnce) / (1 - falseOnce));
  return {
    units: answers,
    incidences: counts.reduce((total, found) => total + found, 0) + added,
    once: once + added,
    twice: counts.filter((found) => found === 2).length,
    seen: counts.filter((found) => found > 0).length + added,
  };
}

/** The quantile of a binomial distribution. */
function drawBinomial(trials: number, probability: number, uniform: number): number {
  let found = 0;
  let chance = (1 - probability) ** trials;
  for (let sum = chance; sum < uniform && found < trials; sum += chance) {
    chance *= ((trials - found) / (found + 1)) * (probability / (1 - probability));
    found += 1;
  }
  return found;
}
