import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  privateStackOptions,
  productDatabase,
  startStack,
  steadyEnvironment,
  type Stack,
} from '@bv/local-stack';
import { createDatabase } from './databases.ts';
import { postgresUrls } from './environment.ts';

export type FullStack = {
  stack: Stack;
  /** The lines reported while it started. */
  output: readonly string[];
  stop(): Promise<void>;
};

/**
 * Starts the product on private ports with its own data. Every service is a separate process, as with `npm start`. The
 * daily schedule is off, because it could add a scan during a test. In a test run with a Citus cluster it uses that.
 */
export async function startFullStack(environment: Record<string, string> = {}): Promise<FullStack> {
  const dataDir = await mkdtemp(join(tmpdir(), 'bv-whole-'));
  const output: string[] = [];
  const [postgresUrl = '', ...workers] = postgresUrls('results');
  const cluster = workers.length > 0 ? await createDatabase('results', productDatabase) : undefined;
  const variables = {
    ...steadyEnvironment,
    LOG_LEVEL: 'warn',
    SCHEDULE_INTERVAL_MS: '0',
    ...(cluster && { POSTGRES_URL: postgresUrl }),
    ...environment,
  };
  const stack = await startStack(privateStackOptions(dataDir, variables), (line) => output.push(line)).catch(
    (error: unknown) => {
      throw new Error(output.join('\n'), { cause: error });
    },
  );
  return {
    stack,
    output,
    stop: async () => {
      await stack.stop();
      await cluster?.drop();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}
