import {
  type CellPeriod,
  createArmSeries,
  estimateExperiment,
  type ExperimentEstimate,
} from '../src/index.ts';
import { window } from '../test/cell.ts';
import { drawPrompts, normal, random } from './simulated-brand.ts';

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

/** Days of each window, with one answer of each cell. */
const days = 28;
/** Standard deviations, in logits, of what the answers of a prompt have in common: in a window, and on a day. */
const [ofWindow, ofDay] = [0.3, 0.5];
/** The same of all prompts of a platform on a day, and its correlation from day to day. */
const [shock, memory] = [0.3, 0.5];

const platforms = [0, 1] as const;
const windows = ['pre', 'post'] as const;

function drawShocks(): number[] {
  let moved = shock * normal();
  return Array.from({ length: days }, () => {
    moved = memory * moved + Math.sqrt(1 - memory ** 2) * shock * normal();
    return moved;
  });
}

/** The usual rate of each prompt. Leaves room for an effect, so that it is the same for each prompt. */
function drawRates({ prompts, effect, points }: ExperimentPlan, rate: number): number[] {
  if (effect === 0 && points === 0) return drawPrompts(prompts, rate);
  return drawPrompts(prompts, (rate - 0.05) / 0.6).map((drawn) => 0.05 + 0.6 * drawn);
}

/** Mentions of a prompt in a window, on each platform. `moved` has what the answers of each day have in common. */
function countMentions(
  usual: number,
  moved: { shocks: readonly number[][]; logits: readonly number[]; points: number },
): number[] {
  const odds = usual / (1 - usual);
  const mentions = platforms.map(() => 0);
  const common = ofWindow * normal();
  for (let day = 0; day < days; day += 1) {
    const ofPrompt = common + ofDay * normal();
    for (const platform of platforms) {
      const logits = ofPrompt + (moved.shocks[platform]?.[day] ?? 0) + (moved.logits[platform] ?? 0);
      const probability = 1 / (1 + 1 / (odds * Math.exp(logits)));
      if (random() < probability + moved.points) mentions[platform] = (mentions[platform] ?? 0) + 1;
    }
  }
  return mentions;
}

/** An experiment of two windows on two platforms. */
export async function drawExperiment(plan: ExperimentPlan, seed: number): Promise<ExperimentEstimate> {
  const rows: CellPeriod[] = [];
  const ids = { treated: [] as string[], control: [] as string[] };
  const shocks = windows.map(() => platforms.map(drawShocks));
  for (const arm of ['treated', 'control'] as const) {
    const isTreated = arm === 'treated';
    const points = plan.points + (isTreated ? plan.effect : 0);
    const logits = platforms.map((platform) => (platform < plan.logits.platforms ? plan.logits.size : 0));
    for (const [index, usual] of drawRates(plan, plan.rates[isTreated ? 0 : 1]).entries()) {
      const promptId = `${arm}-${index}`;
      ids[arm].push(promptId);
      for (const [period, of] of windows.entries()) {
        const change = of === 'post' ? { logits, points } : { logits: [], points: 0 };
        const mentions = countMentions(usual, { shocks: shocks[period] ?? [], ...change });
        for (const [platform, mentioned] of mentions.entries()) {
          const cell = { promptId, country: 'US', platform: `${platform}`, period };
          rows.push({ ...cell, units: days, part: 100 * mentioned, whole: days });
        }
      }
    }
  }
  return estimateExperiment({
    series: await createArmSeries([rows], ids, 2),
    periods: { pre: { from: 0, to: 0 }, post: { from: 1, to: 1 } },
    windows: { pre: window([]), post: window([]) },
    dependsOnCompetitors: false,
    tests: { seed, washoutDays: 0, postDays: days },
  });
}

/** How many of so many experiments find a change, and how many intervals contain the effect. */
export async function countExperiments(runs: number, given: Partial<ExperimentPlan>) {
  const plan = { ...nullPlan, ...given };
  const counts = { found: 0, covered: 0, armsDiffer: 0 };
  for (let run = 0; run < runs; run += 1) {
    const { effect, tests, reasons } = await drawExperiment(plan, run);
    if (tests?.verdict === 'up' || tests?.verdict === 'down') counts.found += 1;
    const truth = 100 * plan.effect;
    if (effect !== null && effect.low <= truth && truth <= effect.high) counts.covered += 1;
    if (reasons.includes('arms_differ')) counts.armsDiffer += 1;
  }
  return counts;
}
