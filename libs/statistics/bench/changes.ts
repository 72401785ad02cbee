/**
 * Prints how often a read of many brands of which none changed names one, in percent: at a false discovery rate of 5 %,
 * for brands that move alone, and for brands whose answers all move by the same logits.
 */
import { compareCells, decideChanges } from '../src/index.ts';
import { drawAnswers, drawPrompts, normal, toWindow, usualPlan } from './simulated-brand.ts';

const runs = Number(process.argv[2] ?? 500);
const brands = 50;
const prompts = 10;

for (const shock of [0, 0.1, 0.2, 0.4]) {
  let [named, rows] = [0, 0];
  for (let run = 0; run < runs; run += 1) {
    const common = shock * normal();
    const comparisons = Array.from({ length: brands }, () => {
      const usual = drawPrompts(prompts, 0.35);
      const moved = usual.map((p) => 1 / (1 + ((1 - p) / p) * Math.exp(-common)));
      const [a, b] = [usual, moved].map((rates) =>
        toWindow(drawAnswers(rates, usualPlan), usualPlan, prompts),
      ) as [ReturnType<typeof toWindow>, ReturnType<typeof toWindow>];
      return compareCells(a, b, { metric: 'mention_rate', confidence: 0.95 });
    });
    const found = decideChanges(comparisons, 0.05).filter(
      ({ verdict }) => verdict === 'up' || verdict === 'down',
    );
    if (found.length > 0) named += 1;
    rows += found.length;
  }
  const percent = (count: number, of: number): string => ((100 * count) / of).toFixed(1);
  process.stdout.write(
    `common shock of ${shock} logits: a change in ${percent(named, runs)} of reads, in ${percent(rows, runs * brands)} of rows\n`,
  );
}
