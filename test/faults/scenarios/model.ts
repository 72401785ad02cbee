import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { startReceiver } from '@bv/stack';
import fc from 'fast-check';
import type { Context, Outcome, Scenario } from '../harness/scenario.ts';
import { compare } from '../model/compare.ts';
import { plantedBugs } from '../model/planted.ts';
import { startRun } from '../model/run.ts';
import { sequence, type Step } from '../model/steps.ts';
import { createTransport, type Planted } from '../model/transport.ts';

const longestMs = 150_000;
const plantedRuns = 40;

let runs = 20;
export const setModelRuns = (count: number): void => {
  runs = count;
};

/** What once went wrong, shrunk; each stays as a file and is followed before anything new. */
function regressions(): [Step[]][] {
  const dir = new URL('../model/regressions/', import.meta.url);
  if (!existsSync(dir)) return [];
  return readdirSync(dir)
    .filter((name) => name.endsWith('.json'))
    .sort()
    .map((name) => [JSON.parse(readFileSync(new URL(name, dir), 'utf8'))]);
}

type Found = { failed: boolean; numRuns: number; steps: number; why: string };

async function follow(
  { system, random }: Context,
  hookUrl: string,
  options: { numRuns: number; planted?: Planted },
): Promise<Found> {
  let steps = 0;
  const property = fc.asyncProperty(sequence, async (sent) => {
    const run = await startRun(system, createTransport(system, options.planted), hookUrl);
    for (const step of sent) await run.take(step);
    await compare(run);
    steps += sent.length;
  });
  const { failed, numRuns, counterexample, errorInstance } = await fc.check(property, {
    seed: random.seed | 0,
    numRuns: options.numRuns,
    ...(options.planted ? { endOnFailure: true } : { examples: regressions() }),
    interruptAfterTimeLimit: longestMs,
  });
  const why = `${String(errorInstance)}\n    after ${JSON.stringify(counterexample?.[0])}`;
  return { failed, numRuns, steps, why };
}

async function run(context: Context): Promise<Outcome> {
  const receiver = await startReceiver(() => 204);
  try {
    const { failed, numRuns, steps, why } = await follow(context, receiver.url, { numRuns: runs });
    return {
      violations: failed ? [why] : [],
      did: `${numRuns} sequences of ${steps} calls and changes over two organisations, four kinds of key`,
    };
  } finally {
    await receiver.close();
  }
}

export const model: Scenario = {
  name: 'model',
  promise: 'random sequences of calls of every kind of key come to what the rules say, retries and all',
  run,
};

async function runPlanted(context: Context): Promise<Outcome> {
  const receiver = await startReceiver(() => 204);
  const violations: string[] = [];
  try {
    for (const planted of plantedBugs) {
      const { failed, numRuns } = await follow(context, receiver.url, { numRuns: plantedRuns, planted });
      context.say(`${planted.name}: ${failed ? `noticed in sequence ${numRuns}` : 'not noticed'}`);
      if (!failed) violations.push(`planted and not noticed: ${planted.name}`);
    }
  } finally {
    await receiver.close();
  }
  return { violations, did: `${plantedBugs.length} bugs planted before the product, each to be noticed` };
}

export const plantedModel: Scenario = {
  name: 'planted-model',
  promise: 'the model of the API notices bugs that are planted between clients and product',
  run: runPlanted,
};
