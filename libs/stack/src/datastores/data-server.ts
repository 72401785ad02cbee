import { StackFailure } from '../failure.ts';
import type { ManagedProcess } from '../processes/managed-process.ts';
import { waitUntil } from '../processes/wait-until.ts';

export const dataStoreIds = ['postgres', 'redis', 'nats'] as const;
export type DataStoreId = (typeof dataStoreIds)[number];

export const dataStoreTitles: Record<DataStoreId, string> = {
  postgres: 'PostgreSQL',
  redis: 'Redis',
  nats: 'NATS',
};

/** What a data store is started with, whether as a process or in a container. */
export type ServerOptions = {
  /** Everything the server keeps lies below this directory. */
  dir: string;
  port: number;
  logFile: string;
  /** False for tests: data may be lost, so nothing waits for the disk. */
  durable: boolean;
  /** The password of the superuser `postgres`; without one local connections are trusted. */
  password?: string;
  /** Settings of a Redis besides those it always has. */
  redisSettings?: Record<string, string>;
  /** Called right after the start, long before the server answers. */
  onStarted?: (pid: number, stopSignal: NodeJS.Signals) => void;
};

export type DataServer = {
  id: DataStoreId;
  url: string;
  port: number;
  process: ManagedProcess;
  stopSignal: NodeJS.Signals;
  stop(): Promise<void>;
  /** `kill -9`. */
  kill(): Promise<void>;
  /** Frozen: connections stay open, nothing answers. */
  pause(): Promise<void>;
  resume(): Promise<void>;
};

/** Where data stores come from: a container engine, or binaries on this machine. */
export type DataStoreSource = {
  name: string;
  description: string;
  start(id: DataStoreId, options: ServerOptions): Promise<DataServer>;
};

export function dataServerUrl(id: DataStoreId, port: number, password?: string): string {
  if (id === 'redis') return `redis://127.0.0.1:${port}`;
  if (id === 'nats') return `nats://127.0.0.1:${port}`;
  const credentials = password === undefined ? 'postgres' : `postgres:${encodeURIComponent(password)}`;
  return `postgresql://${credentials}@127.0.0.1:${port}/postgres`;
}

/** Waits until the server answers; its last log lines explain a failure. What failed is not left running. */
export async function awaitReady(
  server: ManagedProcess,
  ready: () => Promise<boolean>,
  timeoutMs: number,
): Promise<void> {
  let ended: string | undefined;
  void server.exited.then((how) => (ended = how));
  try {
    if ((await waitUntil(ready, { timeoutMs, until: server.exited })) && server.running()) return;
  } catch (error) {
    await server.stop();
    throw error;
  }
  const lines = await server.lastLines(20);
  await server.kill();
  const reason = ended === undefined ? `did not answer within ${timeoutMs / 1_000} s` : `ended: ${ended}`;
  throw new StackFailure([`${server.name} ${reason}`, ...lines].join('\n  '));
}
