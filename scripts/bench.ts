import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

/** Benchmarks by name, and the package each belongs to: `<package>/bench/<name>.ts`. */
const packages: Record<string, string> = {
  'change-events': 'libs/statistics',
  edge: 'services/gateway',
  export: 'clients/sdk',
  extraction: 'libs/extraction',
  mcp: 'services/gateway',
  reprocess: 'services/results',
  results: 'services/results',
  scans: 'services/scans',
  verdicts: 'libs/statistics',
  webhooks: 'services/webhooks',
};

// pnpm passes the `--` of `pnpm bench results -- --help`.
const [name = '', ...args] = process.argv.slice(2).filter((arg) => arg !== '--');
const folder = packages[name];
if (folder === undefined) {
  const isHelp = name === '--help';
  const output = isHelp ? process.stdout : process.stderr;
  output.write(`pnpm bench <${Object.keys(packages).join(' | ')}> [options]\n`);
  process.exit(isHelp ? 0 : 2);
}
const script = fileURLToPath(new URL(`../${folder}/bench/${name}.ts`, import.meta.url));
const child = spawn(process.execPath, ['--conditions=@bv/source', script, ...args], { stdio: 'inherit' });
// A benchmark stops the processes it started before it exits.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => child.kill(signal));
const [code] = (await once(child, 'exit')) as [number | null];
process.exitCode = code ?? 1;
