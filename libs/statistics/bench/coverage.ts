/** Prints the bias of estimated_total in worlds of known size, and how often its interval covers the size. */
import { estimateCoverage } from '../src/index.ts';
import { drawWorld, seeded, type World } from './simulated-world.ts';

const runs = Number(process.argv[2] ?? 2_000);
const print = (...cells: (string | number)[]): boolean => process.stdout.write(`${cells.join(' | ')}\n`);

const even: World = { names: 200, answers: 150, perAnswer: 3, exponent: 0, falseOnce: 0 };
const worlds: Record<string, Partial<World>> = {
  'even, 200 names, 100 answers': { answers: 100 },
  'even, 200 names, 150 answers': {},
  'even, 1,000 names, 500 answers': { names: 1_000, answers: 500 },
  'uneven (Zipf 0.5)': { exponent: 0.5 },
  'uneven (Zipf 1)': { exponent: 1 },
  'uneven (Zipf 1.5)': { exponent: 1.5 },
  'even, 30 % of single names false': { falseOnce: 0.3 },
  'uneven (Zipf 1), 30 % of single names false': { exponent: 1, falseOnce: 0.3 },
};
print('World', 'seen', 'mean estimate', 'bias in percent', 'interval covers in percent');
for (const [name, plan] of Object.entries(worlds)) {
  const world = { ...even, ...plan };
  const random = seeded(58);
  let [seen, sum, covered] = [0, 0, 0];
  for (let run = 0; run < runs; run += 1) {
    const drawn = drawWorld(world, random);
    const { value, low, high } = estimateCoverage(drawn, []).estimatedTotal;
    seen += drawn.seen / runs;
    sum += (value ?? 0) / runs;
    if ((low ?? 0) <= world.names && world.names <= (high ?? 0)) covered += 1;
  }
  const bias = (100 * (sum - world.names)) / world.names;
  print(name, seen.toFixed(0), sum.toFixed(0), bias.toFixed(1), ((100 * covered) / runs).toFixed(1));
}
