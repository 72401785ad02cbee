import { Worker } from 'node:worker_threads';
import { operations, operatorOperations } from '@bv/contract';
import { z } from 'zod';
import type { Outcome, Scenario } from '../harness/scenario.ts';
import { listSourcePatterns, type Pattern } from '../harness/regex-source.ts';
import type { Timing } from '../harness/regex-worker.ts';

/** Maximum length of all headers together. Most fields are shorter. */
const length = 16_384;
/** A linear pattern takes well under 1 ms for this length, a quadratic one at least 100 ms. */
const limitMs = 60;
const hangMs = 20_000;

/** The patterns in the request schemas, which zod adds. */
function listSchemaPatterns(): Pattern[] {
  const found = new Map<string, Pattern>();
  for (const { id, params, query, body } of [...operations, ...operatorOperations]) {
    for (const schema of [params, query, body]) {
      if (schema === null) continue;
      const text = JSON.stringify(z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }));
      for (const [, written = '""'] of text.matchAll(/"pattern":("(?:[^"\\]|\\.)*")/g)) {
        const source = JSON.parse(written) as string;
        found.set(source, { where: `schema of ${id}`, source, flags: '' });
      }
    }
  }
  return [...found.values()];
}

async function timeAll(patterns: Pattern[]): Promise<string[]> {
  const worker = new Worker(new URL('../harness/regex-worker.ts', import.meta.url), {
    workerData: { patterns, length, limitMs },
    execArgv: ['--conditions=@bv/source'],
  });
  const violations: string[] = [];
  const named = (index: number): string => `${patterns[index]?.where}: /${patterns[index]?.source}/`;
  await new Promise<void>((resolve, reject) => {
    let begun = 0;
    let timer: NodeJS.Timeout | undefined;
    const stuck = (): void => {
      violations.push(`${named(begun)} takes more than ${hangMs / 1_000} s`);
      void worker.terminate();
    };
    worker.on('message', (message: { begun: number } | Timing) => {
      clearTimeout(timer);
      timer = setTimeout(stuck, hangMs);
      if ('begun' in message) begun = message.begun;
      else if (message.worstMs > limitMs)
        violations.push(
          `${named(message.index)} takes ${message.worstMs.toFixed(0)} ms for ${message.at}...`,
        );
    });
    worker.once('error', reject);
    worker.once('exit', () => {
      clearTimeout(timer);
      resolve();
    });
  });
  return violations;
}

async function run(): Promise<Outcome> {
  const patterns = [...listSourcePatterns(), ...listSchemaPatterns()];
  if (patterns.length < 50) throw new Error(`only ${patterns.length} patterns were found`);
  return {
    violations: await timeAll(patterns),
    summary: `${patterns.length} patterns of sources and schemas on hostile strings of ${length} characters`,
  };
}

export const slowPatterns: Scenario = {
  name: 'slow-patterns',
  guarantee: 'no regular expression backtracks on hostile strings',
  run,
};
