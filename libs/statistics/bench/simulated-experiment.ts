import { type CellDay, createArmSeries, estimateExperiment, type ExperimentEstimate } from '../src/index.ts';
import { window } from '../test/cell.ts';
import { drawPrompts, random } from './simulated-brand.ts';

export type ExperimentPlan = {
  /** Prompts of an arm. */
  prompts: number;
  /** Mention rates of both arms, 0 to 1. */
  rates: readonly [treated: number, control: number];
  /** Added to the probability of a mention of treated prompts after the change. */
  effect: number;
  /** Added to that of all prompts after the change. */
  points: number;
  /** The same in logits, on one of the two platforms or on both. */
  logits: { size: number; platforms: 1 | 2 };
};

export const nullPlan: ExperimentPlan = {
  prompts: 10,
  rates: [0.3, 0.3],
  effect: 0,
  points: 0,
  logits: { size: 0, platforms: 2 },
};

/** Answers of a cell in each window: 28 days. */
const units = 28;
const countMentions = (p: number): number => {
  let mentioned = 0;
  for (let unit = 0; unit < units; unit += 1) if (random() < p) mentioned += 1;
  return mentioned;
};

const within = (p: number): number => Math.min(0.999, Math.max(0.001, p));

function afterChange(usual: number, plan: ExperimentPlan, { isTreated, platform }: Place): number {
  const p = within(usual + plan.points + (isTreated ? plan.effect : 0));
  if (platform >= plan.logits.platforms) return p;
  const odds = (p / (1 - p)) * Math.exp(plan.logits.size);
  return odds / (1 + odds);
}

type Place = { isTreated: boolean; platform: number };

/** An experiment of two windows on two platforms, and the true effect on its prompts in points. */
export function drawExperiment(plan: ExperimentPlan, seed: number): ExperimentEstimate & { truth: number } {
  const rows: CellDay[] = [];
  const ids = { treated: [] as string[], control: [] as string[] };
  let truth = 0;
  for (const arm of ['treated', 'control'] as const) {
    const isTreated = arm === 'treated';
    const prompts = drawPrompts(plan.prompts, plan.rates[isTreated ? 0 : 1]);
    for (const [index, drawn] of prompts.entries()) {
      const promptId = `${arm}-${index}`;
      ids[arm].push(promptId);
      // Leaves room for the effect, so that it is the same for each prompt.
      const usual = 0.05 + 0.6 * drawn;
      for (const platform of [0, 1]) {
        const after = afterChange(usual, plan, { isTreated, platform });
        truth += ((isTreated ? 1 : -1) * 100 * (after - usual)) / prompts.length / 2;
        for (const [day, p] of [usual, after].entries()) {
          rows.push({
            promptId,
            country: 'US',
            platform: `${platform}`,
            day,
            units,
            part: 100 * countMentions(p),
            whole: units,
          });
        }
      }
    }
  }
  const estimate = estimateExperiment({
    series: createArmSeries(rows, ids, 2),
    days: { pre: { from: 0, to: 0 }, post: { from: 1, to: 1 }, washout: 0 },
    windows: { pre: window([]), post: window([]) },
    dependsOnCompetitors: false,
    seed,
  });
  return { ...estimate, truth };
}

/** How many of so many experiments find a change, and how many intervals contain the true effect. */
export function countExperiments(runs: number, given: Partial<ExperimentPlan>) {
  const plan = { ...nullPlan, ...given };
  const counts = { found: 0, covered: 0, armsDiffer: 0 };
  for (let run = 0; run < runs; run += 1) {
    const { effect, verdict, truth, reasons } = drawExperiment(plan, run);
    if (verdict === 'up' || verdict === 'down') counts.found += 1;
    if (effect !== null && effect.low <= truth && truth <= effect.high) counts.covered += 1;
    if (reasons.includes('arms_differ')) counts.armsDiffer += 1;
  }
  return counts;
}
