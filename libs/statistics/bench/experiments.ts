/** Prints how often an experiment finds a change, and how often its interval contains the effect, in percent. */
import { countExperiments, type ExperimentPlan } from './simulated-experiment.ts';

const runs = Number(process.argv[2] ?? 2_000);
const percent = (count: number): string => ((100 * count) / runs).toFixed(1);

async function report(name: string, plan: Partial<ExperimentPlan>): Promise<void> {
  const { found, covered, armsDiffer } = await countExperiments(runs, plan);
  process.stdout.write(
    `${name}: found ${percent(found)}, covered ${percent(covered)}, arms_differ ${percent(armsDiffer)}\n`,
  );
}

for (const prompts of [10, 30]) {
  for (const rate of [0.1, 0.35, 0.6]) {
    await report(`no effect, ${prompts} prompts an arm at ${rate}`, { prompts, rates: [rate, rate] });
  }
  await report(`effect of 10 points, ${prompts} prompts an arm`, { prompts, effect: 0.1 });
  for (const apart of [0, 0.15, 0.3]) {
    const rates = [0.1, 0.1 + apart] as const;
    await report(`10 points for all, ${prompts} prompts, arms ${100 * apart} points apart`, {
      prompts,
      rates,
      points: 0.1,
    });
    const logits = { size: 0.5, platforms: 2 as const };
    await report(`0.5 logits for all, ${prompts} prompts, arms ${100 * apart} points apart`, {
      prompts,
      rates,
      logits,
    });
  }
  await report(`another model on one platform, ${prompts} prompts an arm`, {
    prompts,
    logits: { size: 0.7, platforms: 1 },
  });
}
