/** What the process of the test run passes to the test files. */
export type TestEnvironment = {
  postgresUrl: string;
  redisUrl: string;
  natsUrl: string;
  /** URLs of the workers of the Citus cluster that has the tables of results, separated by spaces; '' without one. */
  citusWorkers: string;
  /** How test files start their own servers: `binaries`, or the name of a container engine. */
  source: string;
  /** The run's temporary directory. At its end the run deletes it and stops every process recorded in it. */
  runDir: string;
};

const names = {
  postgresUrl: 'TEST_POSTGRES_URL',
  redisUrl: 'TEST_REDIS_URL',
  citusWorkers: 'TEST_CITUS_WORKERS',
  natsUrl: 'TEST_NATS_URL',
  source: 'TEST_DATA_STORES',
  runDir: 'TEST_RUN_DIR',
} as const satisfies Record<keyof TestEnvironment, string>;

const keys = Object.keys(names) as (keyof TestEnvironment)[];

export function configuredEnvironment(): Partial<TestEnvironment> {
  return Object.fromEntries(
    keys.flatMap((key) => {
      const value = process.env[names[key]];
      return value === undefined || value === '' ? [] : [[key, value]];
    }),
  );
}

export function exportEnvironment(environment: TestEnvironment): void {
  for (const key of keys) process.env[names[key]] = environment[key];
}

export function testEnvironment(key: keyof TestEnvironment): string {
  const value = configuredEnvironment()[key];
  if (value === undefined)
    throw new Error(`${names[key]} is not set: run the tests through jest's globalSetup`);
  return value;
}

/** The servers that hold the database of a service, first the one it connects to. */
export function postgresUrls(service: string): string[] {
  const { postgresUrl = '', citusWorkers = '' } = configuredEnvironment();
  return [postgresUrl, ...(service === 'results' ? citusWorkers.split(' ').filter(Boolean) : [])];
}

/** For a process that gets nothing else of the environment of the tests. */
export function childEnvironment(): { PATH: string; NODE_COMPILE_CACHE: string } {
  const { PATH = '', NODE_COMPILE_CACHE = '' } = process.env;
  return { PATH, NODE_COMPILE_CACHE };
}
