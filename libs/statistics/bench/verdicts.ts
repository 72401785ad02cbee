/** Prints how often the bounds of windows and the verdicts of comparisons are right, for simulated brands, in percent. */
import { compareCells, type Metric, windowRates } from '../src/index.ts';
import { drawAnswers, drawPrompts, type Plan, toWindow, usualPlan } from './simulated-brand.ts';

const runs = Number(process.argv[2] ?? 2_000);
const print = (...cells: (string | number)[]): boolean => process.stdout.write(`${cells.join(' | ')}\n`);
const percent = (count: number): string => ((100 * count) / runs).toFixed(1);

/** How many windows have bounds that contain the rate of all such prompts. */
function cover(prompts: number, rate: number): string {
  const plan = { ...usualPlan, platforms: 3 };
  let found = 0;
  for (let run = 0; run < runs; run += 1) {
    const { cells } = toWindow(drawAnswers(drawPrompts(prompts, rate), plan), plan, prompts);
    const { low, high } = windowRates(cells).bounds.mentionRate!;
    if (low <= 100 * rate && 100 * rate <= high) found += 1;
  }
  return percent(found);
}

type Case = { prompts?: number; rate?: number; both?: Partial<Plan>; a?: Partial<Plan>; b?: Partial<Plan> };

function drawPair({ prompts = 20, rate = 0.35, both, a, b }: Case) {
  const usual = drawPrompts(prompts, rate);
  const draw = (own?: Partial<Plan>) => {
    const plan = { ...usualPlan, ...both, ...own };
    return toWindow(drawAnswers(usual, plan), plan, prompts);
  };
  return { a: draw(a), b: draw(b) };
}

function evaluate(name: string, test: Case, metric: Metric, confidence = 0.95): void {
  const found: Record<string, number> = {};
  for (let run = 0; run < runs; run += 1) {
    const { a, b } = drawPair(test);
    const { verdict, reasons } = compareCells(a, b, { metric, confidence });
    for (const each of [verdict, ...reasons]) found[each] = (found[each] ?? 0) + 1;
  }
  const { up = 0, down = 0, no_evidence: _, ...others } = found;
  const noted = Object.entries(others).map(([each, count]) => `${each} ${percent(count)}`);
  print(metric, name, percent(up + down), `down ${percent(down)}`, ...noted);
}

const small = { prompts: 10, rate: 0.1 };
const one = { platforms: 1 };
const unchanged: Record<string, Case> = {
  '20 prompts x 2 platforms x 7 days, 35 %': {},
  '5 %': { rate: 0.05 },
  '5 prompts': { prompts: 5 },
  '10 x 1 x 7, 10 %': { ...small, both: one },
  'one day': { both: { days: 1 } },
  '28 days': { both: { days: 28 } },
  '70 % repeat the answer of the day before': { both: { repeats: 0.7 } },
  '28 and 7 days, 10 %': { rate: 0.1, a: { days: 28 } },
  '7 days and 1, 10 x 1, 10 %': { ...small, both: one, b: { days: 1 } },
  '3 competitors, then 13': { b: { competitors: 13 } },
  '30 % fail': { b: { lost: [0.3, 0.3] } },
  '30 % of answers with the brand fail, 10 % of others': { b: { lost: [0.3, 0.1] } },
  '50 % and 10 %': { b: { lost: [0.5, 0.1] } },
  'no scan on 6 of 7 days': { ...small, both: one, b: { missing: 6 } },
  'shocks of a day, 0.1 logits': { both: { shock: 0.1 } },
  'shocks that last, 0.1 logits': { both: { shock: 0.1, memory: 0.9 } },
  'shocks of a day, 0.4 logits': { both: { shock: 0.4 } },
  'shocks that last, 0.4 logits': { both: { shock: 0.4, memory: 0.9 } },
};
const rise = { rise: 0.15 };
const changed: Record<string, Case> = {
  '+15 from 35 %': { b: rise },
  'from 20 %': { rate: 0.2, b: rise },
  'one day': { both: { days: 1 }, b: rise },
  '10 prompts': { prompts: 10, b: rise },
  '5 prompts': { prompts: 5, b: rise },
  '70 % repeat': { both: { repeats: 0.7 }, b: rise },
};

print('Bounds contain the rate, 21 answers a prompt', '5 prompts', 10, 20, 50);
for (const rate of [0.02, 0.05, 0.1, 0.2, 0.35, 0.5])
  print(`${100 * rate} %`, ...[5, 10, 20, 50].map((prompts) => cover(prompts, rate)));

for (const metric of ['mention_rate', 'score', 'share_of_voice'] as const) {
  print(`\nUnchanged: ${metric}`, 'up or down');
  for (const [name, test] of Object.entries(unchanged)) evaluate(name, test, metric);
  for (const level of [0.8, 0.9, 0.99, 0.999]) evaluate(`confidence ${level}`, {}, metric, level);
  print(`\nAfter a rise: ${metric}`, 'up or down');
  for (const [name, test] of Object.entries(changed)) evaluate(name, test, metric);
}
