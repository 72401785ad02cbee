import { execFile } from 'node:child_process';
import { chown, mkdir, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { startProcess, type ManagedProcess } from '../processes/managed-process.ts';
import type { Binary } from './binaries.ts';
import { awaitReady, dataServerUrl, type DataServer, type ServerOptions } from './data-server.ts';
import { acceptsQueries, respondsWith } from './probe.ts';
import { postgresIdentity, type Identity } from './run-as.ts';
import { natsArguments, postgresArguments, redisArguments } from './server-arguments.ts';

const run = promisify(execFile);
const readyTimeoutMs = 60_000;
const host = '127.0.0.1';

/** Starts one data store as a process of this machine. Returns when it is ready. */
export async function startBinary(binary: Binary, options: ServerOptions): Promise<DataServer> {
  await mkdir(options.dir, { recursive: true, mode: 0o700 });
  if (binary.id === 'postgres') return startPostgres(binary, options);
  const placement = { host, ...options };
  const nats = binary.id === 'nats';
  const child = startProcess({
    name: binary.id,
    command: binary.path,
    args: nats ? natsArguments(placement) : redisArguments(placement),
    logFile: options.logFile,
    cwd: options.dir,
  });
  const [send, expected] = nats ? ['', 'INFO '] : ['PING\r\n', '+PONG'];
  options.onStarted?.(child.pid, 'SIGTERM');
  await awaitReady(child, () => respondsWith(options.port, send, expected), readyTimeoutMs);
  return server(binary, options, child);
}

async function startPostgres(binary: Binary, options: ServerOptions): Promise<DataServer> {
  const identity = await postgresIdentity();
  await initCluster(binary, options, identity);
  const child = startProcess({
    name: binary.id,
    command: binary.path,
    args: [
      '-D',
      options.dir,
      '-p',
      String(options.port),
      '-h',
      host,
      '-k',
      '',
      ...postgresArguments(options),
    ],
    logFile: options.logFile,
    cwd: options.dir,
    ...identity,
  });
  options.onStarted?.(child.pid, 'SIGINT');
  const url = dataServerUrl('postgres', options.port, options.password);
  await awaitReady(child, () => acceptsQueries(url), readyTimeoutMs);
  return server(binary, options, child);
}

function server(binary: Binary, options: ServerOptions, child: ManagedProcess): DataServer {
  // For PostgreSQL SIGINT is the fast shutdown: it ends sessions and writes the data.
  const stopSignal = binary.id === 'postgres' ? 'SIGINT' : 'SIGTERM';
  return {
    id: binary.id,
    url: dataServerUrl(binary.id, options.port, options.password),
    port: options.port,
    process: child,
    stopSignal,
    stop: () => child.stop({ signal: stopSignal }),
    kill: () => child.kill(),
    pause: async () => child.signal('SIGSTOP'),
    resume: async () => child.signal('SIGCONT'),
  };
}
/** Runs `initdb` in a temporary folder and renames it, so that an interrupted run leaves no incomplete cluster. */
async function initCluster(
  binary: Binary,
  { dir, password, durable }: ServerOptions,
  identity: Identity | undefined,
): Promise<void> {
  if ((await readdir(dir)).length > 0) return;
  const fresh = `${dir}.new`;
  const passwordFile = `${dir}.password`;
  await rm(fresh, { recursive: true, force: true });
  await mkdir(fresh, { mode: 0o700 });
  await writeFile(passwordFile, password ?? '', { mode: 0o600 });
  if (identity !== undefined) {
    await Promise.all([fresh, passwordFile].map((path) => chown(path, identity.uid, identity.gid)));
  }
  const authentication =
    password === undefined ? ['--auth', 'trust'] : ['--auth', 'scram-sha-256', '--pwfile', passwordFile];
  const args = ['-D', fresh, '-U', 'postgres', '--encoding', 'UTF8', '--locale', 'C', ...authentication];
  try {
    const initdb = join(dirname(binary.path), 'initdb');
    await run(initdb, durable ? args : [...args, '--no-sync'], { timeout: 120_000, cwd: '/', ...identity });
    await rename(fresh, dir);
  } finally {
    await rm(passwordFile, { force: true });
  }
}
