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

/** Options to start a data store as a process or in a container. */
export type ServerOptions = {
  /** Data directory of the server. */
  dir: string;
  port: number;
  logFile: string;
  /** False for tests: data may be lost, so the server does not sync to disk. */
  durable: boolean;
  /** Password of the superuser `postgres`. Without one, local connections are trusted. */
  password?: string;
  /** Additional settings. */
  settings?: Record<string, string>;
  /** Called right after the start, before the server is ready. */
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
  /** Connections stay open, but the server does not respond. */
  pause(): Promise<void>;
  resume(): Promise<void>;
};

/** A source of data stores: a container engine, or binaries on this machine. */
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

/** Waits until the server is ready. On failure it stops the server and throws with its last log lines. */
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
  const reason = ended === undefined ? `did not respond within ${timeoutMs / 1_000} s` : `ended: ${ended}`;
  throw new StackFailure([`${server.name} ${reason}`, ...lines].join('\n  '));
}
