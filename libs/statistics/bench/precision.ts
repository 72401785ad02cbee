/** Prints how often the interval of a level is right, and how often a smallest detectable change is found, in percent. */
import { countCovered, countFound } from './simulated-precision.ts';

const runs = Number(process.argv[2] ?? 2_000);
const print = (line: string): boolean => process.stdout.write(`${line}\n`);
const percent = (count: number): string => ((100 * count) / runs).toFixed(1);

print('The interval of the level contains the rate of all such prompts, 7 days on 3 platforms:');
for (const [prompts, rate] of [
  [10, 0.2],
  [10, 0.35],
  [10, 0.5],
  [40, 0.1],
  [40, 0.2],
  [40, 0.35],
] as const) {
  print(`${prompts} prompts at ${100 * rate} %: ${percent(countCovered(runs, prompts, rate))}`);
}

print('compareScores finds a change of the smallest detectable size, up and down in turn, 7 days:');
for (const prompts of [10, 30]) {
  const { up, down } = countFound(runs, prompts);
  print(`${prompts} prompts: ${percent(up + down)} (up ${percent(2 * up)}, down ${percent(2 * down)})`);
}
