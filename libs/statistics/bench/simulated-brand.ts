import type { ComparedCell, ComparedWindow } from '../src/index.ts';
import { cell, window } from '../test/cell.ts';

let state = 20261128;
/** From 0 to 1, in every run the same (mulberry32). */
export function random(): number {
  state = (state + 0x6d2b79f5) | 0;
  let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
  mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
  return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
}
export const normal = (): number => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());

/** Marsaglia and Tsang (2000), "A simple method for generating gamma variables", ACM TOMS 26, 363-372. */
function gamma(shape: number): number {
  if (shape < 1) return gamma(shape + 1) * random() ** (1 / shape);
  const d = shape - 1 / 3;
  for (;;) {
    const x = normal();
    const v = (1 + x / Math.sqrt(9 * d)) ** 3;
    if (v > 0 && Math.log(1 - random()) < (x * x) / 2 + d - d * v + d * Math.log(v)) return d * v;
  }
}

const rho = 0.3;
/** How often each prompt names the brand: beta distributed, with this mean and a correlation of 0.3 of its answers. */
export const drawPrompts = (count: number, rate: number): number[] =>
  Array.from({ length: count }, () => {
    const [named, others] = [gamma((rate * (1 - rho)) / rho), gamma(((1 - rate) * (1 - rho)) / rho)];
    return named / (named + others);
  });

export const usualPlan = {
  platforms: 2,
  days: 7,
  competitors: 3,
  /** Added to the probability of a mention. */
  rise: 0,
  /** Standard deviation, in logits, of what moves all prompts of a platform on a day; its correlation from day to day. */
  shock: 0,
  memory: 0,
  /** Share of answers that are those of the day before. */
  repeats: 0,
  /** Shares of answers that fail, with and without the brand. */
  lost: [0, 0] as readonly [number, number],
  /** Days without a scan. */
  missing: 0,
};
export type Plan = typeof usualPlan;

/** The position is 0 without a mention. */
export type Answer = { prompt: number; platform: number; day: number; position: number; others: number };

function drawAnswer(
  usual: number,
  { rise, competitors }: Plan,
  moved: number,
): Pick<Answer, 'position' | 'others'> {
  const p = Math.min(0.999, usual + rise);
  const odds = (p / (1 - p)) * Math.exp(moved);
  let others = 0;
  for (let tracked = 0; tracked < competitors; tracked += 1) if (random() < 0.4) others += 1;
  return { others, position: random() < odds / (1 + odds) ? 1 + Math.floor(random() * (others + 1)) : 0 };
}

/** The answers of a window that did not fail. */
export function drawAnswers(prompts: readonly number[], plan: Plan): Answer[] {
  const answers: Answer[] = [];
  for (let platform = 0; platform < plan.platforms; platform += 1) {
    let moved = plan.shock * normal();
    const last: Answer[] = [];
    for (let day = plan.missing; day < plan.days; day += 1) {
      moved = plan.memory * moved + Math.sqrt(1 - plan.memory ** 2) * plan.shock * normal();
      for (const [prompt, usual] of prompts.entries()) {
        const before = random() < plan.repeats ? last[prompt] : undefined;
        const answer = { ...(before ?? drawAnswer(usual, plan, moved)), prompt, platform, day };
        last[prompt] = answer;
        if (random() >= plan.lost[answer.position > 0 ? 0 : 1]) answers.push(answer);
      }
    }
  }
  return answers;
}

function toCell(answers: readonly Answer[], { competitors }: Plan): ComparedCell {
  const sum = (read: (answer: Answer) => number): number =>
    answers.reduce((total, each) => total + read(each), 0);
  const mentioned = sum(({ position }) => Math.min(1, position));
  return cell({
    promptId: `${answers[0]?.prompt}`,
    platform: `${answers[0]?.platform}`,
    units: answers.length,
    mentioned,
    unitScoreSum: sum(({ position }) => (position > 0 ? 100 / (1 + 0.1 * (position - 1)) : 0)),
    ownMentions: mentioned,
    allMentions: mentioned + sum(({ others }) => others),
    searchedBrands: [`${competitors} competitors`],
  });
}

export function toWindow(answers: readonly Answer[], plan: Plan, prompts: number): ComparedWindow {
  const cells = [...Map.groupBy(answers, ({ prompt, platform }) => `${prompt} ${platform}`).values()];
  const total = prompts * plan.platforms * (plan.days - plan.missing);
  const failed = total - answers.length;
  return window(
    cells.map((ofCell) => toCell(ofCell, plan)),
    {
      days: plan.days,
      scans: { total, failed },
    },
  );
}
