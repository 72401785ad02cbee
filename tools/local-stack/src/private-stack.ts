import { readStackOptions, type StackOptions } from './config.ts';

/**
 * Environment for a stack under test: only errors are logged, deadlines tolerate a slow machine, and no brand is scanned
 * because its hour has come.
 */
export const steadyEnvironment = {
  NODE_ENV: 'development',
  LOG_LEVEL: 'error',
  REDIS_TIMEOUT_MS: '5000',
  SCHEDULE_INTERVAL_MS: '0',
};

/** An isolated stack: free ports, and its own data stores in `dataDir` from programs of this machine. */
export const privateStackOptions = (dataDir: string, environment: Record<string, string>): StackOptions => ({
  ...readStackOptions({ ...process.env, ...environment }),
  externalUrls: {},
  dataDir,
  freePorts: true,
  engines: [],
});
