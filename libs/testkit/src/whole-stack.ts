import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { privateStackOptions, startStack, steadyEnvironment, type Stack } from '@bv/stack';

export type WholeStack = {
  stack: Stack;
  /** What was said while it started. */
  said: readonly string[];
  stop(): Promise<void>;
};

/** The product on private ports with data of its own: every service its own process, as `npm start` runs it. */
export async function startWholeStack(environment: Record<string, string> = {}): Promise<WholeStack> {
  const dataDir = await mkdtemp(join(tmpdir(), 'bv-whole-'));
  const said: string[] = [];
  const given = { ...steadyEnvironment, LOG_LEVEL: 'warn', ...environment };
  const stack = await startStack(privateStackOptions(dataDir, given), (line) => said.push(line)).catch(
    (error: unknown) => {
      throw new Error(said.join('\n'), { cause: error });
    },
  );
  return {
    stack,
    said,
    stop: async () => {
      await stack.stop();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}
