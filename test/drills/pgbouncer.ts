import { existsSync } from 'node:fs';
import { chown, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { freePort, postgresIdentity, startProcess, waitUntil } from '@bv/local-stack';
import pg from 'pg';
import { root } from './documented-commands.ts';
import { installWithApt } from '../install/apt.ts';

const program = '/usr/sbin/pgbouncer';

export type PgBouncer = {
  /** As the superuser, through the pooler. */
  url: string;
  /** Its administration console. */
  consoleUrl: string;
  /** Folder of `databases.ini`, which names the server. */
  dir: string;
  pid: number;
  stop(): Promise<void>;
};

type Options = { dir: string; password: string; port: number };

/** Starts PgBouncer with the settings of deploy/compose/replicated/pgbouncer.ini in front of the server on `port`. */
export async function startPgBouncer({ dir, password, port }: Options): Promise<PgBouncer> {
  if (!existsSync(program)) installWithApt(['pgbouncer'], 'the drill needs PgBouncer');
  const user = await postgresIdentity();
  const listenPort = await freePort();
  const settings = join(dir, 'pgbouncer.ini');
  const files = {
    [settings]: [
      `%include ${join(dir, 'databases.ini')}`,
      `%include ${join(root, 'deploy/compose/replicated/pgbouncer.ini')}`,
      'listen_addr = 127.0.0.1',
      `listen_port = ${listenPort}`,
      `auth_file = ${join(dir, 'userlist.txt')}`,
    ].join('\n'),
    [join(dir, 'databases.ini')]: `[databases]\n* = host=127.0.0.1 port=${port}\n`,
    [join(dir, 'userlist.txt')]: `"postgres" "${password}"\n`,
  };
  await mkdir(dir, { mode: 0o700 });
  for (const [path, content] of Object.entries(files)) await writeFile(path, `${content}\n`, { mode: 0o600 });
  if (user !== undefined) {
    for (const path of [dir, ...Object.keys(files)]) await chown(path, user.uid, user.gid);
  }
  const child = startProcess({
    name: 'pgbouncer',
    command: program,
    args: [settings],
    logFile: `${dir}.log`,
    cwd: dir,
    ...user,
  });
  const toUrl = (database: string): string =>
    `postgresql://postgres:${password}@127.0.0.1:${listenPort}/${database}`;
  const consoleUrl = toUrl('pgbouncer');
  const isReady = await waitUntil(() => canConnect(consoleUrl), {
    timeoutMs: 10_000,
    intervalMs: 50,
    until: child.exited,
  });
  if (!isReady) {
    const lines = await child.lastLines(10);
    await child.kill();
    throw new Error(['PgBouncer did not start', ...lines].join('\n'));
  }
  return { url: toUrl('postgres'), consoleUrl, dir, pid: child.pid, stop: () => child.stop() };
}

async function canConnect(url: string): Promise<boolean> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 1_000 });
  client.on('error', () => undefined);
  return client
    .connect()
    .then(() => client.end())
    .then(
      () => true,
      () => false,
    );
}
