import { mkdirSync, readdirSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { join } from 'node:path';
import {
  freePort,
  readStackOptions,
  reopenSource,
  type DataServer,
  type DataStoreId,
  type DataStoreSource,
} from '@bv/local-stack';
import { testEnvironment } from './environment.ts';
import { recordServer } from './run-dir.ts';

/** A server of one test file, which may stop, kill, pause and start it again with the same port and data. */
export type TestServer = {
  url: string;
  port: number;
  /** Directory of its data. */
  dir: string;
  /** The current process. `start` creates another one. */
  pid(): number;
  stop(): Promise<void>;
  /** `kill -9`. */
  kill(): Promise<void>;
  start(): Promise<void>;
  /** SIGSTOP and SIGCONT: connections stay open, but the server does not respond. */
  pause(): Promise<void>;
  resume(): Promise<void>;
};

export async function startServer(
  source: DataStoreSource,
  id: DataStoreId,
  parentDir: string,
  settings: Record<string, string> = {},
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
      settings,
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
    dir,
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

const ownSources = new Map<DataStoreId, Promise<DataStoreSource>>();

async function openSource(id: DataStoreId): Promise<DataStoreSource> {
  const { engines, images, environment } = readStackOptions(process.env);
  const report = (line: string): boolean => process.stderr.write(`${line}\n`);
  const options = { required: [id], engines, images, environment, report };
  return reopenSource(testEnvironment('source'), options);
}

async function startOwnServer(id: DataStoreId, settings?: Record<string, string>): Promise<TestServer> {
  const source = ownSources.get(id) ?? openSource(id);
  ownSources.set(id, source);
  return startServer(await source, id, testEnvironment('runDir'), settings);
}

/** A separate nats-server with JetStream, without the streams of other test files. */
export async function startNats(settings?: Record<string, string>): Promise<TestServer> {
  return startOwnServer('nats', settings);
}

/** A separate redis-server, for tests that stop, kill or flush it. */
export async function startRedis(settings?: Record<string, string>): Promise<TestServer> {
  return startOwnServer('redis', settings);
}

/** A separate PostgreSQL, for tests that stop or kill it. Starting takes about a second. */
export async function startPostgres(): Promise<TestServer> {
  return startOwnServer('postgres');
}

/** The nats-server all test files of the run share. */
export function natsUrl(): string {
  return testEnvironment('natsUrl');
}

let ownRedisUrl: string | undefined;

/** The run's Redis, with a logical database for this test file alone. */
export function redisUrl(): string {
  ownRedisUrl ??= `${testEnvironment('redisUrl')}/${reserveRedisDatabase(testEnvironment('runDir'))}`;
  return ownRedisUrl;
}

/** `mkdir` fails if the directory exists, so only one test file reserves each number. */
function reserveRedisDatabase(runDir: string): number {
  const reservations = join(runDir, 'redis-databases');
  mkdirSync(reservations, { recursive: true });
  for (let number = readdirSync(reservations).length + 1; number < 1_024; number += 1) {
    try {
      mkdirSync(join(reservations, String(number)));
      return number;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    }
  }
  throw new Error('all logical databases of the test Redis are in use');
}
