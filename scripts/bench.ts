import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

/** Benchmarks by name, and the folder of each. */
const folders: Record<string, string> = {
  changes: 'libs/statistics/bench',
  coverage: 'libs/statistics/bench',
  drift: 'libs/statistics/bench',
  edge: 'services/gateway/bench',
  experiments: 'libs/statistics/bench',
  extraction: 'libs/extraction/bench',
  precision: 'libs/statistics/bench',
  results: 'services/results/bench',
  scans: 'services/scans/bench',
  verdicts: 'libs/statistics/bench',
  webhooks: 'services/webhooks/bench',
};

// pnpm passes the `--` of `pnpm bench results -- --help`.
const [name = '', ...args] = process.argv.slice(2).filter((arg) => arg !== '--');
const folder = folders[name];
if (folder === undefined) {
  const isHelp = name === '--help';
  const output = isHelp ? process.stdout : process.stderr;
  output.write(`pnpm bench <${Object.keys(folders).join(' | ')}> [options]\n`);
  process.exit(isHelp ? 0 : 2);
}
const script = fileURLToPath(new URL(`../${folder}/${name}.ts`, import.meta.url));
const child = spawn(process.execPath, ['--conditions=@bv/source', script, ...args], { stdio: 'inherit' });
// A benchmark stops the processes it started before it exits.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => child.kill(signal));
const [code] = (await once(child, 'exit')) as [number | null];
process.exitCode = code ?? 1;
