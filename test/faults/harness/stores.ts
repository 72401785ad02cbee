import { chmod, mkdir, rm } from 'node:fs/promises';
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { chooseSource, dataStoreIds, freePort, readStackOptions, recordProcess } from '@bv/local-stack';
import type { DataServer, DataStoreId, DataStoreSource } from '@bv/local-stack';
import { startTcpProxy, type TcpProxy } from './tcp-proxy.ts';

const run = promisify(execFile);

/** A data store behind a proxy, with the faults of machines and networks. */
export type Store = {
  id: DataStoreId;
  /** Address of the proxy, which the services use. */
  url: string;
  /** Address without the proxy, for checkers. */
  directUrl: string;
  proxy: TcpProxy;
  kill(): Promise<void>;
  /** PostgreSQL: `-m immediate`; the others as SIGTERM. */
  stopImmediately(): Promise<void>;
  start(): Promise<void>;
  freeze(): Promise<void>;
  thaw(): Promise<void>;
  /** Deletes its files. Only while it is stopped. */
  deleteData(): Promise<void>;
  stop(): Promise<void>;
};

export type Stores = Record<DataStoreId, Store>;

export async function startStores(dir: string, password: string): Promise<Stores> {
  await chmod(dir, 0o711);
  await mkdir(join(dir, 'processes'), { mode: 0o700 });
  const { images, environment } = readStackOptions(process.env);
  const report = (line: string): boolean => process.stderr.write(`${line}\n`);
  // Local processes instead of containers, because child processes are signalled too.
  const source = await chooseSource({
    required: [...dataStoreIds],
    engines: [],
    images,
    environment,
    report,
  });
  const stores = await Promise.all(dataStoreIds.map((id) => startStore(source, id, dir, password)));
  return Object.fromEntries(stores.map((store) => [store.id, store])) as Stores;
}

async function startStore(
  source: DataStoreSource,
  id: DataStoreId,
  parent: string,
  password: string,
): Promise<Store> {
  const dir = join(parent, id);
  const port = await freePort();
  let server: DataServer;
  const start = async (): Promise<void> => {
    // Durable: acknowledged writes must survive a kill.
    const options = {
      dir,
      port,
      logFile: `${dir}.log`,
      durable: true,
      onStarted: (pid: number, stopSignal: NodeJS.Signals) =>
        recordProcess(join(parent, 'processes'), { name: id, pid, stopSignal }),
    };
    server = await source.start(id, id === 'postgres' ? { ...options, password } : options);
  };
  await start();
  const proxy = await startTcpProxy(() => port);
  const directUrl = server!.url;
  const url = new URL(directUrl);
  url.port = String(proxy.port);
  return {
    id,
    url: url.href,
    directUrl,
    proxy,
    start,
    kill: () => server.kill(),
    stopImmediately: async () => {
      server.process.signal(id === 'postgres' ? 'SIGQUIT' : 'SIGTERM');
      await server.process.exited;
    },
    freeze: () => signalProcessTree(server.process.pid, 'SIGSTOP'),
    thaw: () => signalProcessTree(server.process.pid, 'SIGCONT'),
    deleteData: async () => {
      await rm(dir, { recursive: true, force: true });
      await mkdir(dir, { recursive: true, mode: 0o700 });
    },
    stop: async () => {
      await proxy.close();
      await signalProcessTree(server.process.pid, 'SIGCONT');
      await server.stop();
    },
  };
}

/** Signals a process and its children: each PostgreSQL session is a separate process. */
export async function signalProcessTree(pid: number, signal: NodeJS.Signals): Promise<void> {
  const { stdout } = await run('ps', ['-o', 'pid=', '--ppid', String(pid)]).catch(() => ({ stdout: '' }));
  const children = stdout.split('\n').map(Number);
  for (const member of [pid, ...children]) {
    if (member <= 1) continue;
    try {
      process.kill(member, signal);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
    }
  }
}
