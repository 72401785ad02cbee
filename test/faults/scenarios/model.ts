import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { startReceiver } from '@bv/local-stack';
import fc from 'fast-check';
import type { Context, Outcome, Scenario } from '../harness/scenario.ts';
import { compare } from '../model/compare.ts';
import { startRun } from '../model/run.ts';
import { sequence, type Step } from '../model/steps.ts';
import { createTransport } from '../model/transport.ts';

const maxMs = 150_000;

let runs = 20;
export const setModelRuns = (count: number): void => {
  runs = count;
};

/** Shrunk sequences of past failures, one per file. They run before random ones. */
function regressions(): [Step[]][] {
  const dir = new URL('../model/regressions/', import.meta.url);
  if (!existsSync(dir)) return [];
  return readdirSync(dir)
    .filter((name) => name.endsWith('.json'))
    .sort()
    .map((name) => [JSON.parse(readFileSync(new URL(name, dir), 'utf8'))]);
}

type SequenceResult = { failed: boolean; numRuns: number; steps: number; why: string };

async function runSequences(
  { system, random }: Context,
  hookUrl: string,
  numRuns: number,
): Promise<SequenceResult> {
  let steps = 0;
  const property = fc.asyncProperty(sequence, async (sent) => {
    const run = await startRun(system, createTransport(system), hookUrl);
    for (const step of sent) await run.apply(step);
    await compare(run);
    steps += sent.length;
  });
  const {
    failed,
    numRuns: done,
    counterexample,
    errorInstance,
  } = await fc.check(property, {
    seed: random.seed | 0,
    numRuns,
    examples: regressions(),
    interruptAfterTimeLimit: maxMs,
  });
  const why = `${String(errorInstance)}\n    after ${JSON.stringify(counterexample?.[0])}`;
  return { failed, numRuns: done, steps, why };
}

async function run(context: Context): Promise<Outcome> {
  const receiver = await startReceiver(() => 204);
  try {
    const { failed, numRuns, steps, why } = await runSequences(context, receiver.url, runs);
    return {
      violations: failed ? [why] : [],
      summary: `${numRuns} sequences of ${steps} calls and changes over two organisations, four kinds of key`,
    };
  } finally {
    await receiver.close();
  }
}

export const model: Scenario = {
  name: 'model',
  guarantee:
    'random sequences of calls with every kind of key, retries included, have the outcome of the model',
  run,
};
