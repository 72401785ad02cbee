/** Prints false alarms of drift a platform and year, and how many changes are seen on their first day. */
import { drawDays, listDriftedDays, type Plan, usualPlan } from './simulated-platform.ts';

const years = Number(process.argv[2] ?? 100);
const print = (...cells: (string | number)[]): boolean => process.stdout.write(`${cells.join(' | ')}\n`);

const stable: Record<string, Partial<Plan>> = {
  '30 units a day': { prompts: 30 },
  '30 units, without shocks': { prompts: 30, shock: 0 },
  '300 units': {},
  '300 units, shocks of 0.3 logits': { shock: 0.3 },
  '300 units, shocks that last': { shock: 0.2, memory: 0.9 },
  '300 units, more customers': { growth: 0.1 },
  '30 units, more customers': { prompts: 30, growth: 0.1 },
  '3,000 units': { prompts: 3_000 },
};
print('Stable answers', 'false alarms a platform and year');
for (const [name, plan] of Object.entries(stable)) {
  const count = plan.prompts === 3_000 ? years / 10 : years;
  let alarms = 0;
  for (let year = 0; year < count; year += 1)
    alarms += listDriftedDays(drawDays({ ...usualPlan, ...plan }, 365)).length;
  print(name, (alarms / count).toFixed(3));
}

const changes: Record<string, Plan['change']> = {
  'links are no longer resolved': { unresolved: 0.9 },
  'a fifth of the answers has unresolved links': { unresolved: 0.2 },
  'no sources': { sources: 0 },
  'sources in 60 % instead of 85 %': { sources: 0.6 },
  'no model name': { noModel: 1 },
  'no answer in 40 % instead of 8 %': { noAnswer: 0.4 },
  'one domain in 60 % instead of 20 %': { largest: 0.6 },
  'half as long': { length: 0.5 },
  '30 % shorter': { length: 0.7 },
};
const sizes = [30, 100, 300];
print('\nChanges seen on their first day, in percent', ...sizes.map((size) => `${size} units`));
for (const [name, change] of Object.entries(changes)) {
  const found = sizes.map((prompts) => {
    let seen = 0;
    for (let run = 0; run < 10 * years; run += 1)
      if (listDriftedDays(drawDays({ ...usualPlan, prompts, change }, 15, 14)).includes(14)) seen += 1;
    return ((10 * seen) / years).toFixed(1);
  });
  print(name, ...found);
}
