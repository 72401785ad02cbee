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
};

export type DataServer = {
  id: DataStoreId;
  url: string;
  port: number;
  process: ManagedProcess;
  stop(): Promise<void>;
};

export function dataServerUrl(id: DataStoreId, port: number, password?: string): string {
  if (id === 'redis') return `redis://127.0.0.1:${port}`;
  if (id === 'nats') return `nats://127.0.0.1:${port}`;
  const credentials = password === undefined ? 'postgres' : `postgres:${encodeURIComponent(password)}`;
  return `postgresql://${credentials}@127.0.0.1:${port}/postgres`;
}

/** Waits until the server answers; its last log lines explain a failure. */
export async function awaitReady(
  process: ManagedProcess,
  ready: () => Promise<boolean>,
  timeoutMs: number,
): Promise<void> {
  let ended: string | undefined;
  void process.exited.then((how) => (ended = how));
  if ((await waitUntil(ready, { timeoutMs, until: process.exited })) && process.running()) return;
  const lines = await process.lastLines(20);
  await process.kill();
  const reason = ended === undefined ? `did not answer within ${timeoutMs / 1000} s` : `ended: ${ended}`;
  throw new Error([`${process.name} ${reason}`, ...lines].join('\n  '));
}
