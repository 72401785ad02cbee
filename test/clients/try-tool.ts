import { execFile } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import type { Customer, Outcome } from './customer.ts';
import type { Command, Tool } from './tools.ts';

/** Seconds per step, and what failed. */
export type Result = { name: string; seconds: Record<string, number>; failure?: string };
type Context = { scratch: string; document: string; customer: Customer };

/** A warning of a generator is a failure: what it leaves out is missed only by a user. */
const warning = /\bwarn(?:ing)?\b/i;
/** Of openapi-generator: 3.1, names, and examples and defaults of a kind. Of ogen: the case of headers. */
const harmless =
  /3\.1 support is still in beta|[Rr]enamed to|Failed to get the schema name: null|Cannot convert OpenAPI default|Ignoring complex example|Header name is not canonical/;
const stepTimeoutMs = 600_000;
const maxOutput = 4_000;

async function run(
  { program, args }: Command,
  dir: string,
  environment: NodeJS.ProcessEnv,
  withErrors = false,
): Promise<string> {
  return new Promise((resolve, reject) => {
    const options = { cwd: dir, env: environment, timeout: stepTimeoutMs, maxBuffer: 64 * 2 ** 20 };
    execFile(program, args, options, (error, stdout, stderr) => {
      if (error === null) resolve(withErrors ? `${stdout}\n${stderr}` : stdout);
      else reject(new Error(`${program} ${args.join(' ')}\n${`${stdout}${stderr}`.slice(-maxOutput)}`));
    });
  });
}

/** What differs between the outcome of a program and what the stack has. */
function compare(outcome: Outcome, expected: Outcome): string {
  const names = new Set([...Object.keys(outcome), ...Object.keys(expected)]);
  return [...names]
    .filter((name) => !isDeepStrictEqual(outcome[name], expected[name]))
    .map((name) => `${name}: ${JSON.stringify(outcome[name])} instead of ${JSON.stringify(expected[name])}`)
    .join('\n');
}

/** Generates, compiles and runs one client. */
export async function tryTool(name: string, tool: Tool, context: Context): Promise<Result> {
  const { scratch, document, customer } = context;
  const dir = join(scratch, name.replaceAll(/\W+/g, '-'));
  const seconds: Record<string, number> = {};
  const environment = { ...process.env, GOFLAGS: '-mod=mod', GOTOOLCHAIN: 'local' };
  const step = async (title: string, work: () => Promise<string>): Promise<string> => {
    const start = performance.now();
    try {
      return await work();
    } finally {
      seconds[title] = (performance.now() - start) / 1000;
    }
  };
  try {
    mkdirSync(dir);
    tool.prepare(dir);
    const said = await step('generate', () => run(tool.generate(document), dir, environment, true));
    const warnings = said.split('\n').filter((line) => warning.test(line) && !harmless.test(line));
    if (warnings.length > 0) throw new Error(`warnings:\n${warnings.slice(0, 20).join('\n')}`);
    await step('compile', async () => {
      for (const command of tool.compile()) await run(command, dir, environment);
      return '';
    });
    const customerEnvironment = await customer.environmentFor(name);
    const printed = await step('run', () => run(tool.run(), dir, { ...environment, ...customerEnvironment }));
    const expected = tool.isReading ? customer.expectedReads : customer.expected;
    const failure = compare(JSON.parse(printed) as Outcome, expected);
    return { name, seconds, ...(failure === '' ? {} : { failure }) };
  } catch (error) {
    return { name, seconds, failure: error instanceof Error ? error.message : String(error) };
  }
}
