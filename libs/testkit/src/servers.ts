import { mkdirSync, readdirSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { join } from 'node:path';
import {
  dataStoreIds,
  freePort,
  readStackOptions,
  reopenSource,
  type DataServer,
  type DataStoreId,
  type DataStoreSource,
} from '@bv/stack';
import { testEnvironment } from './environment.ts';
import { recordServer } from './run-dir.ts';

/** A server of one test file's own, which it may stop, kill, freeze and start again on the same port and data. */
export type TestServer = {
  url: string;
  port: number;
  /** The process at this moment; another one after `start`. */
  pid(): number;
  stop(): Promise<void>;
  /** `kill -9`. */
  kill(): Promise<void>;
  start(): Promise<void>;
  /** SIGSTOP and SIGCONT: connections stay open, nothing answers. */
  pause(): Promise<void>;
  resume(): Promise<void>;
};

export async function startServer(
  source: DataStoreSource,
  id: DataStoreId,
  parentDir: string,
  redisSettings: Record<string, string> = {},
): Promise<TestServer> {
  const dir = await mkdtemp(join(parentDir, `${id}-`));
  const logFile = `${dir}.log`;
  let server: DataServer;
  const start = async (port: number): Promise<void> => {
    server = await source.start(id, {
      dir,
      port,
      logFile,
      durable: false,
      redisSettings,
      onStarted: (pid) => recordServer(parentDir, id, pid),
    });
  };
  await startOnFreePort(start);
  return {
    get url() {
      return server.url;
    },
    get port() {
      return server.port;
    },
    pid: () => server.process.pid,
    stop: () => server.stop(),
    kill: () => server.kill(),
    start: () => start(server.port),
    pause: () => server.pause(),
    resume: () => server.resume(),
  };
}

/** Another process may take the port between finding it free and using it. */
async function startOnFreePort(start: (port: number) => Promise<void>): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await start(await freePort());
    } catch (error) {
      if (attempt === 3) throw error;
    }
  }
}

let ownSource: Promise<DataStoreSource> | undefined;

async function startOwnServer(id: DataStoreId, redisSettings?: Record<string, string>): Promise<TestServer> {
  const { engines, images, environment } = readStackOptions(process.env);
  const say = (line: string): boolean => process.stderr.write(`${line}\n`);
  const options = { needed: [...dataStoreIds], engines, images, environment, say };
  ownSource ??= reopenSource(testEnvironment('source'), options);
  return startServer(await ownSource, id, testEnvironment('runDir'), redisSettings);
}

/** An own nats-server with JetStream: streams of other test files are not seen. */
export async function startNats(): Promise<TestServer> {
  return startOwnServer('nats');
}

/** An own redis-server, for tests that stop, kill or flush it. */
export async function startRedis(settings?: Record<string, string>): Promise<TestServer> {
  return startOwnServer('redis', settings);
}

/** An own PostgreSQL (about a second), for tests that stop or kill it. */
export async function startPostgres(): Promise<TestServer> {
  return startOwnServer('postgres');
}

/** The nats-server all test files of the run share. */
export function natsUrl(): string {
  return testEnvironment('natsUrl');
}

let ownRedisUrl: string | undefined;

/** The run's Redis with a logical database that no other test file of the run has. */
export function redisUrl(): string {
  ownRedisUrl ??= `${testEnvironment('redisUrl')}/${claimRedisDatabase(testEnvironment('runDir'))}`;
  return ownRedisUrl;
}

/** `mkdir` fails when the directory is there already, so each number goes to one claimant only. */
function claimRedisDatabase(runDir: string): number {
  const claims = join(runDir, 'redis-databases');
  mkdirSync(claims, { recursive: true });
  for (let number = readdirSync(claims).length + 1; number < 1_024; number += 1) {
    try {
      mkdirSync(join(claims, String(number)));
      return number;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    }
  }
  throw new Error('all logical databases of the test Redis are taken');
}
