import { parseArgs } from 'node:util';
import { documentOutages } from './outage-table.ts';
import { run } from './runner.ts';
import { scenarios } from './scenarios.ts';
import { setModelRuns } from './scenarios/model.ts';
import { setDownSeconds } from './scenarios/outages.ts';

const usage = `pnpm test:faults [--seed N] [--list] [--down N [--document]] [--runs N] [name...]

name      scenarios whose name starts with it; default: all
--seed N  repeat the choices of an earlier run
--list    list the scenarios
--down N  seconds of each store outage
--runs N  random sequences for the model of the API
--document  write the measured outages to docs/operations/outages.md`;

const { values, positionals } = parseArgs({
  options: {
    seed: { type: 'string' },
    list: { type: 'boolean' },
    down: { type: 'string', default: '10' },
    document: { type: 'boolean' },
    runs: { type: 'string', default: '20' },
    help: { type: 'boolean' },
  },
  allowPositionals: true,
});

const chosen = scenarios.filter(
  ({ name }) => positionals.length === 0 || positionals.some((start) => name.startsWith(start)),
);

if (values.help === true || chosen.length === 0) {
  process.stdout.write(`${usage}\n`);
  process.exitCode = values.help === true ? 0 : 1;
} else if (values.list === true) {
  for (const { name, guarantee } of chosen) process.stdout.write(`${name.padEnd(24)} ${guarantee}\n`);
} else {
  const seed = values.seed === undefined ? Math.floor(Math.random() * 2 ** 32) : Number(values.seed);
  setDownSeconds(Number(values.down));
  setModelRuns(Number(values.runs));
  process.exitCode = (await run(chosen, seed)) ? 0 : 1;
  if (values.document === true) documentOutages();
  // A failed scenario may have left clients running.
  process.exit();
}
