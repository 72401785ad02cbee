import { mkdirSync, readdirSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findBinaries, freePort, startBinary, type DataServer, type DataStoreId } from '@bv/stack';
import { givenEnvironment, testEnvironment } from './environment.ts';
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
  pause(): void;
  resume(): void;
};

export async function startServer(id: DataStoreId, parentDir: string): Promise<TestServer> {
  const [binary] = await findBinaries(id);
  if (binary === undefined) throw new Error(`no usable ${id} on this machine`);
  const dir = await mkdtemp(join(parentDir, `${id}-`));
  const logFile = `${dir}.log`;
  let server: DataServer;
  const start = async (port: number): Promise<void> => {
    server = await startBinary(binary, { dir, port, logFile, durable: false });
    recordServer(parentDir, id, server.process.pid);
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
    kill: () => server.process.kill(),
    start: () => start(server.port),
    pause: () => server.process.signal('SIGSTOP'),
    resume: () => server.process.signal('SIGCONT'),
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

async function startOwnServer(id: DataStoreId): Promise<TestServer> {
  const { runDir } = givenEnvironment();
  const parentDir = runDir ?? (await mkdtemp(join(tmpdir(), 'bv-test-')));
  const server = await startServer(id, parentDir);
  if (runDir !== undefined) return server;
  return Object.assign(server, {
    stop: async () => {
      await server.kill();
      await rm(parentDir, { recursive: true, force: true });
    },
  });
}

/** An own nats-server with JetStream: streams of other test files are not seen. */
export async function startNats(): Promise<TestServer> {
  return startOwnServer('nats');
}

/** An own redis-server, for tests that stop, kill or flush it. */
export async function startRedis(): Promise<TestServer> {
  return startOwnServer('redis');
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
