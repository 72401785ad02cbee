import { execFile, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { mkdir } from 'node:fs/promises';
import { promisify } from 'node:util';
import { startProcess, type ManagedProcess } from '../processes/managed-process.ts';
import { settlesWithin } from '../processes/wait-until.ts';
import type { Reporter } from '../reporter.ts';
import {
  awaitReady,
  dataServerUrl,
  type DataServer,
  type DataStoreId,
  type DataStoreSource,
  type ServerOptions,
} from './data-server.ts';
import { acceptsQueries, respondsWith } from './probe.ts';
import { natsArguments, postgresArguments, redisArguments } from './server-arguments.ts';

const run = promisify(execFile);
const engineTimeoutMs = 10_000;
const pullTimeoutMs = 15 * 60_000;
const readyTimeoutMs = 120_000;

type Engine = { command: string; environment: NodeJS.ProcessEnv };
type Images = Record<DataStoreId, string>;

/** The port and the data directory inside the container. */
const inside: Record<DataStoreId, { port: number; dir: string }> = {
  postgres: { port: 5432, dir: '/var/lib/postgresql/data' },
  redis: { port: 6379, dir: '/data' },
  nats: { port: 4222, dir: '/data' },
};

/** The client may be installed although no engine runs, or the engine hangs. */
export async function isEngineRunning({ command, environment }: Engine): Promise<boolean> {
  return run(command, ['info'], { timeout: engineTimeoutMs, env: environment }).then(
    () => true,
    () => false,
  );
}

/** Pulls missing images, with the progress of the engine on the terminal. Returns the first image that could not be pulled. */
export async function pullImages(
  engine: Engine,
  images: string[],
  report: Reporter,
): Promise<string | undefined> {
  for (const image of images) {
    const { command, environment: env } = engine;
    const present = run(command, ['image', 'inspect', image], { timeout: engineTimeoutMs, env });
    if (await present.then(() => true).catch(() => false)) continue;
    report(`pulling ${image} with ${command} ...`);
    const pull = spawn(command, ['pull', image], { stdio: ['ignore', 'inherit', 'inherit'], env });
    const ended = once(pull, 'exit').catch(() => [1]);
    if (!(await settlesWithin(ended, pullTimeoutMs))) pull.kill('SIGKILL');
    if ((await ended)[0] !== 0) return image;
  }
  return undefined;
}

export function containerSource(engine: Engine, images: Images, required: DataStoreId[]): DataStoreSource {
  const names = required.map((id) => images[id]).join(', ');
  return {
    name: engine.command,
    description: `containers by ${engine.command}: ${names}`,
    start: (id, options) => startContainer(engine, images[id], id, options),
  };
}

/** The name depends on the directory only, so that a container of a killed start is found and removed. */
function containerName(id: DataStoreId, { dir }: ServerOptions): string {
  return `bv-${id}-${createHash('sha256').update(dir).digest('hex').slice(0, 12)}`;
}

async function startContainer(
  engine: Engine,
  image: string,
  id: DataStoreId,
  options: ServerOptions,
): Promise<DataServer> {
  const name = containerName(id, options);
  const control = async (...args: string[]): Promise<void> => {
    await run(engine.command, [...args, name], { timeout: 30_000, env: engine.environment }).catch(
      () => undefined,
    );
  };
  await mkdir(options.dir, { recursive: true });
  await control('rm', '--force');
  const client = startProcess({
    name: id,
    command: engine.command,
    args: [...runArguments(id, name, options), image, ...serverArguments(id, options)],
    logFile: options.logFile,
    // In the environment instead of the arguments, which every user of the machine can see.
    env: { ...engine.environment, ...databaseEnvironment(options) },
  });
  options.onStarted?.(client.pid, 'SIGTERM');
  const end = async (...command: string[]): Promise<void> => {
    await control(...command);
    if (!(await settlesWithin(client.exited, 20_000))) await control('rm', '--force');
    await client.kill();
  };
  try {
    await awaitReady(client, () => isReady(id, options), readyTimeoutMs);
  } catch (error) {
    await control('rm', '--force');
    throw error;
  }
  return containerServer(id, options, client, { control, end });
}

type Control = {
  control: (...args: string[]) => Promise<void>;
  end: (...command: string[]) => Promise<void>;
};

function containerServer(
  id: DataStoreId,
  options: ServerOptions,
  client: ManagedProcess,
  { control, end }: Control,
): DataServer {
  return {
    id,
    url: dataServerUrl(id, options.port, options.password),
    port: options.port,
    process: client,
    stopSignal: 'SIGTERM',
    stop: () => end('stop', '--time', '10'),
    kill: () => end('kill'),
    pause: () => control('pause'),
    resume: () => control('unpause'),
  };
}

function runArguments(id: DataStoreId, name: string, { dir, port }: ServerOptions): string[] {
  const publish = `127.0.0.1:${port}:${inside[id].port}`;
  const common = [
    'run',
    '--rm',
    '--name',
    name,
    '--publish',
    publish,
    '--volume',
    `${dir}:${inside[id].dir}`,
  ];
  if (id !== 'postgres') return common;
  const names = ['POSTGRES_PASSWORD', 'POSTGRES_HOST_AUTH_METHOD', 'POSTGRES_INITDB_ARGS', 'PGDATA'];
  return [...common, ...names.flatMap((variable) => ['--env', variable])];
}

function databaseEnvironment({ password }: ServerOptions): Record<string, string> {
  return {
    POSTGRES_PASSWORD: password ?? 'unused',
    POSTGRES_HOST_AUTH_METHOD: password === undefined ? 'trust' : 'scram-sha-256',
    POSTGRES_INITDB_ARGS: '--encoding=UTF8 --locale=C',
    PGDATA: inside.postgres.dir,
  };
}

function serverArguments(id: DataStoreId, options: ServerOptions): string[] {
  if (id === 'postgres') return postgresArguments(options);
  const { durable, settings } = options;
  const placement = { host: '0.0.0.0', ...inside[id], durable, ...(settings && { settings }) };
  // The entry points of the images prepend the program's name to arguments that start with a dash.
  return id === 'nats' ? natsArguments(placement) : [...redisArguments(placement), '--protected-mode', 'no'];
}

async function isReady(id: DataStoreId, { port, password }: ServerOptions): Promise<boolean> {
  if (id === 'postgres') return acceptsQueries(dataServerUrl('postgres', port, password));
  return id === 'nats' ? respondsWith(port, '', 'INFO ') : respondsWith(port, 'PING\r\n', '+PONG');
}
