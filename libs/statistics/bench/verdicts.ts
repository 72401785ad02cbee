/** Prints how often the bounds of windows and the verdicts of comparisons are right, for simulated brands, in percent. */
import { compareCells, intraClusterCorrelation, type Metric } from '../src/index.ts';
import { wilsonInterval, windowRates } from '../src/index.ts';
import { findsByDay } from './clustered-by-day.ts';
import { drawAnswers, drawPrompts, type Plan, toWindow, usualPlan } from './simulated-brand.ts';

const runs = Number(process.argv[2] ?? 2_000);
const print = (...cells: (string | number)[]): boolean => process.stdout.write(`${cells.join(' | ')}\n`);
const percent = (count = 0, of = runs): string => ((100 * count) / of).toFixed(1);

/** How many windows have bounds that contain the rate of all such prompts; without the factor for few prompts too. */
function cover(prompts: number, rate: number): string {
  const plan = { ...usualPlan, platforms: 3 };
  const found = { now: 0, before: 0 };
  for (let run = 0; run < runs; run += 1) {
    const { cells } = toWindow(drawAnswers(drawPrompts(prompts, rate), plan), plan, prompts);
    const { mentionRate, mentionRateLow, mentionRateHigh } = windowRates(cells);
    const clusters = [...Map.groupBy(cells, ({ promptId }) => promptId).values()].map((ofPrompt) => ({
      n: 21,
      successes: ofPrompt.reduce((sum, { mentioned }) => sum + mentioned, 0),
    }));
    const effective = (21 * prompts) / (1 + 20 * intraClusterCorrelation(clusters));
    const { low, high } = wilsonInterval(mentionRate! / 100, effective)!;
    if (mentionRateLow! <= 100 * rate && 100 * rate <= mentionRateHigh!) found.now += 1;
    if (low <= rate && rate <= high) found.before += 1;
  }
  return `${percent(found.now)} (${percent(found.before)})`;
}

type Case = { prompts?: number; rate?: number; both?: Partial<Plan>; a?: Partial<Plan>; b?: Partial<Plan> };

function drawPair({ prompts = 20, rate = 0.35, both, a, b }: Case) {
  const usual = drawPrompts(prompts, rate);
  const draw = (own?: Partial<Plan>) => {
    const plan = { ...usualPlan, ...both, ...own };
    const answers = drawAnswers(usual, plan);
    return { answers, window: toWindow(answers, plan, prompts) };
  };
  return { a: draw(a), b: draw(b) };
}

function judge(name: string, test: Case, metric: Metric, confidence = 0.95): void {
  const found: Record<string, number> = {};
  for (let run = 0; run < runs; run += 1) {
    const { a, b } = drawPair(test);
    const { verdict, reasons } = compareCells(a.window, b.window, { metric, confidence });
    for (const each of [verdict, ...reasons]) found[each] = (found[each] ?? 0) + 1;
  }
  const { up = 0, down = 0, no_evidence: _, ...others } = found;
  const noted = Object.entries(others).map(([each, count]) => `${each} ${percent(count)}`);
  print(metric, name, percent(up + down), `down ${percent(down)}`, ...noted);
}

const small = { prompts: 10, rate: 0.1 };
const one = { platforms: 1 };
/** `was`: found by an independent simulation of method version 4, for `mention_rate` or `score`. */
const unchanged: Record<string, Case> = {
  '20 prompts x 2 platforms x 7 days, 35 % (was 5.5)': {},
  '5 % (was 5.5)': { rate: 0.05 },
  '5 prompts (was 4.8)': { prompts: 5 },
  '10 x 1 x 7, 10 % (was 4)': { ...small, both: one },
  'T3 one day (was 5)': { both: { days: 1 } },
  '28 days (was 4.8)': { both: { days: 28 } },
  '70 % repeat the answer of the day before (was 5.3)': { both: { repeats: 0.7 } },
  '28 and 7 days, 10 % (was 5.3)': { rate: 0.1, a: { days: 28 } },
  '7 days and 1, 10 x 1, 10 % (was 18.3)': { ...small, both: one, b: { days: 1 } },
  'T1 3 competitors, then 13 (was 100)': { b: { competitors: 13 } },
  'T2 30 % fail (was 4.5)': { b: { lost: [0.3, 0.3] } },
  'T2 30 % of answers with the brand fail, 10 % of others (was 20.9)': { b: { lost: [0.3, 0.1] } },
  'T2 50 % and 10 % (was 72)': { b: { lost: [0.5, 0.1] } },
  'T2 no scan on 6 of 7 days (was 15.6)': { ...small, both: one, b: { missing: 6 } },
};
const rise = { rise: 0.15 };
const changed: Record<string, Case> = {
  '+15 from 35 % (was 96.4)': { b: rise },
  'from 20 % (was 97.5)': { rate: 0.2, b: rise },
  'one day (was 31.6)': { both: { days: 1 }, b: rise },
  '10 prompts (was 66.5)': { prompts: 10, b: rise },
  '5 prompts (was 30.9)': { prompts: 5, b: rise },
  '70 % repeat (was 36.8)': { both: { repeats: 0.7 }, b: rise },
};

print('T4 bounds contain the rate (before), 21 answers a prompt', '5 prompts', 10, 20, 50);
for (const rate of [0.02, 0.05, 0.1, 0.2, 0.35, 0.5])
  print(`${100 * rate} %`, ...[5, 10, 20, 50].map((prompts) => cover(prompts, rate)));

for (const metric of ['mention_rate', 'score', 'share_of_voice'] as const) {
  print(`\nUnchanged: ${metric}`, 'up or down');
  for (const [name, test] of Object.entries(unchanged)) judge(name, test, metric);
  for (const level of [0.8, 0.9, 0.99, 0.999]) judge(`confidence ${level}`, {}, metric, level);
  print(`\nAfter a rise: ${metric}`, 'up or down');
  for (const [name, test] of Object.entries(changed)) judge(name, test, metric);
}

print('\nShocks', 'logits', 'unchanged: by prompt, two-way, by day', '+15 from 35 %');
for (const days of [7, 28])
  for (const memory of [0, 0.9])
    for (const shock of [0, 0.1, 0.2, 0.4]) {
      const found = [0, 0.15].map((rise) => {
        const counts = [0, 0, 0];
        for (let run = 0; run < runs / 2; run += 1) {
          const { a, b } = drawPair({ both: { days, shock, memory }, b: { rise } });
          const { verdict } = compareCells(a.window, b.window, { metric: 'mention_rate', confidence: 0.95 });
          const all = [verdict === 'up' || verdict === 'down', ...findsByDay(a.answers, b.answers, 20, days)];
          for (const [index, isFound] of all.entries()) if (isFound) counts[index]! += 1;
        }
        return counts.map((count) => percent(count, runs / 2)).join(', ');
      });
      print(`${days} days, correlation ${memory} from day to day`, shock, ...found);
    }
