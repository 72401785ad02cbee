/**
 * Generates a client with each generator that docs/guides/clients.md names, compiles it and runs a program that uses it
 * against the whole product. Arguments select generators by a part of their name:
 *   pnpm try:clients
 *   pnpm try:clients ogen python
 *   pnpm try:clients --all        also those of reading-tools.ts, which take longer and install more
 */
import { writeFileSync } from 'node:fs';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { privateStackOptions, startStack, steadyEnvironment, type Stack } from '@bv/local-stack';
import { createTestCustomer } from './customer.ts';
import { startNewerApiProxy } from './newer-api-proxy.ts';
import { readingTools } from './reading-tools.ts';
import { tools, type Tool } from './tools.ts';
import { tryTool, type Result } from './try-tool.ts';

const parallel = 2;
const words = process.argv.slice(2).filter((word) => word !== '--');
const names = words.filter((word) => word !== '--all');
const known = words.includes('--all') ? { ...readingTools, ...tools } : tools;
const selected = Object.entries<Tool>(known).filter(
  ([name]) => names.length === 0 || names.some((word) => name.includes(word)),
);
/** The Java client takes its libraries from Maven Central, which not every network allows. */
const isReachable = ({ needs }: Tool): Promise<boolean> =>
  needs === undefined
    ? Promise.resolve(true)
    : fetch(needs, { method: 'HEAD', signal: AbortSignal.timeout(20_000) }).then(
        () => true,
        () => false,
      );

if (selected.length === 0) throw new Error(`no such generator; there are ${Object.keys(known).join(', ')}`);

async function downloadDocument(stack: Stack, path: string, to: string): Promise<string> {
  const response = await fetch(new URL(path, stack.baseUrl));
  if (!response.ok) throw new Error(`${path} returned ${response.status}`);
  writeFileSync(to, await response.text());
  return to;
}

const sum = ({ seconds }: Result): number => Object.values(seconds).reduce((total, more) => total + more, 0);

async function tryAll(stack: Stack, scratch: string, queue: [string, Tool][]): Promise<Result[]> {
  const proxy = await startNewerApiProxy(new URL(stack.baseUrl).origin);
  const customer = await createTestCustomer(stack, `${proxy.url}/v1`);
  const document = await downloadDocument(stack, '/openapi-clients.json', join(scratch, 'openapi.json'));
  await downloadDocument(stack, '/openapi-3.0.json', join(scratch, 'openapi-3.0.json'));
  const results: Result[] = [];
  const work = async (): Promise<void> => {
    for (let next = queue.shift(); next !== undefined; next = queue.shift()) {
      const result = await tryTool(...next, { scratch, document, customer });
      results.push(result);
      console.log(
        `${result.name}: ${result.failure === undefined ? 'works' : `FAILED\n${result.failure}`} (${sum(result).toFixed(0)} s)`,
      );
    }
  };
  await Promise.all(Array.from({ length: parallel }, work));
  proxy.close();
  return results;
}

function printTable(results: Result[]): void {
  const steps = ['generate', 'compile', 'run'];
  const width = Math.max(...results.map(({ name }) => name.length));
  console.log(`\n${'Seconds'.padEnd(width)}  ${steps.map((step) => step.padStart(8)).join('  ')}`);
  for (const { name, seconds, failure } of results) {
    const cells = steps.map((step) => (seconds[step]?.toFixed(1) ?? '-').padStart(8)).join('  ');
    console.log(`${name.padEnd(width)}  ${cells}  ${failure === undefined ? 'works' : 'FAILED'}`);
  }
}

// Before the stack starts, because an installation blocks this process and requests would miss their deadline.
const usable: [string, Tool][] = [];
for (const [name, tool] of selected) {
  if (!(await isReachable(tool))) {
    console.log(`NOT TRIED: ${name}, because ${tool.needs} cannot be reached`);
    continue;
  }
  usable.push([name, tool]);
  const start = performance.now();
  tool.install();
  const seconds = (performance.now() - start) / 1000;
  if (seconds > 2) console.log(`installed ${name} (${seconds.toFixed(0)} s)`);
}
const scratch = await mkdtemp(join(tmpdir(), 'bv-clients-'));
// The user of PostgreSQL needs access to the data directory below it.
await chmod(scratch, 0o755);
const stack = await startStack(privateStackOptions(join(scratch, 'data'), steadyEnvironment), console.log);
try {
  const results = await tryAll(stack, scratch, usable);
  printTable(results);
  process.exitCode = results.every(({ failure }) => failure === undefined) ? 0 : 1;
} finally {
  await stack.stop();
  await rm(scratch, { recursive: true, force: true });
}
process.exit();
