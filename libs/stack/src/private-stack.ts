import { readStackOptions, type StackOptions } from './config.ts';

/** For a stack whose answers are judged: services that say what is wrong, and that a slow machine does not make refuse. */
export const steadyEnvironment = { NODE_ENV: 'development', LOG_LEVEL: 'error', REDIS_TIMEOUT_MS: '5000' };

/** A whole stack that meets nobody: free ports, and data stores of its own in `dataDir` by programs of this machine. */
export const privateStackOptions = (dataDir: string, environment: Record<string, string>): StackOptions => ({
  ...readStackOptions({ ...process.env, ...environment }),
  givenUrls: {},
  dataDir,
  freePorts: true,
  engines: [],
});
