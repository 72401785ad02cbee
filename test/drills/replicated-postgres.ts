import { randomBytes } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  chooseSource,
  dataStoreIds,
  freePort,
  postgresIdentity,
  privateStackOptions,
  waitUntil,
  type DataServer,
} from '@bv/local-stack';
import pg from 'pg';
import { signalProcessTree } from '../faults/harness/stores.ts';
import { runDocumentedCommands } from './documented-commands.ts';
import { startPgBouncer, type PgBouncer } from './pgbouncer.ts';

const lagMs = 1_000;

/** A primary and a synchronous standby behind PgBouncer, operated by the commands of docs/operations/failover.md. */
export type ReplicatedPostgres = {
  pgbouncer: PgBouncer;
  /** Superuser of the present primary, without the pooler. */
  primaryUrl(): string;
  /** Kills the primary whose standby lags by a second: an asynchronous one loses the writes of that second. */
  killPrimary(): Promise<void>;
  /** Promotes the standby and points PgBouncer at it. */
  failOver(): void;
  /** Adds a standby in place of the lost server, be it the former primary or the former standby. */
  addStandby(): Promise<void>;
  stopStandby(): Promise<void>;
  /** Lets the primary commit without the standby. */
  continueWithoutStandby(): void;
  stop(): Promise<void>;
};

export async function startReplicatedPostgres(scratch: string): Promise<ReplicatedPostgres> {
  const [password, replicationPassword] = [randomBytes(18).toString('hex'), randomBytes(18).toString('hex')];
  const source = await chooseSource({
    ...privateStackOptions(join(scratch, 'unused'), {}),
    required: [...dataStoreIds],
    report: () => undefined,
    preferBinaries: true,
  });
  const user = await postgresIdentity();
  const start = async (dir: string): Promise<DataServer> =>
    source.start('postgres', { dir, port: await freePort(), logFile: `${dir}.log`, durable: true, password });
  const run = (name: string, variables: Record<string, string>, cwd = scratch): void =>
    runDocumentedCommands(name, { cwd, variables, ...(user === undefined ? {} : { user }) });
  const [firstDir, secondDir] = [join(scratch, 'postgres-1'), join(scratch, 'postgres-2')];

  let primary = await start(firstDir);
  let [primaryDir, standbyDir] = [firstDir, secondDir];
  let standby: DataServer | undefined;
  run('standby-role', { ADMIN_DATABASE_URL: primary.url, REPLICATION_PASSWORD: replicationPassword });
  const pgbouncer = await startPgBouncer({ dir: join(scratch, 'pgbouncer'), password, port: primary.port });

  const addStandby = async (): Promise<void> => {
    await rm(standbyDir, { recursive: true, force: true });
    const address = `127.0.0.1:${primary.port}/postgres?application_name=standby`;
    run('standby-copy', {
      ADMIN_DATABASE_URL: primary.url,
      PGDATA: standbyDir,
      PRIMARY_URL: `postgresql://replicator:${replicationPassword}@${address}`,
    });
    standby = await start(standbyDir);
    run('standby-synchronous', { ADMIN_DATABASE_URL: primary.url });
    const isSynchronous = async (): Promise<boolean> =>
      (await readReplication(primary.url)).some((sender) => sender.sync_state === 'sync');
    if (!(await waitUntil(isSynchronous, { timeoutMs: 20_000, intervalMs: 50 })))
      throw new Error('the standby is not synchronous');
  };
  await addStandby();
  return {
    pgbouncer,
    primaryUrl: () => primary.url,
    killPrimary: async () => {
      const [sender] = await readReplication(primary.url);
      if (sender === undefined) throw new Error('the standby is not connected');
      process.kill(sender.pid, 'SIGSTOP');
      await sleep(lagMs);
      await signalProcessTree(primary.process.pid, 'SIGKILL');
      await primary.process.exited;
    },
    failOver: () => {
      if (standby === undefined) throw new Error('there is no standby');
      run('failover', { STANDBY_URL: standby.url });
      const variables = {
        NEW_HOST: '127.0.0.1',
        NEW_PORT: String(standby.port),
        PGBOUNCER_URL: pgbouncer.consoleUrl,
      };
      run('failover-pgbouncer', variables, pgbouncer.dir);
      [primary, standby] = [standby, undefined];
      [primaryDir, standbyDir] = [standbyDir, primaryDir];
    },
    addStandby,
    stopStandby: async () => standby?.stop(),
    continueWithoutStandby: () => run('standby-lost', { ADMIN_DATABASE_URL: primary.url }),
    stop: async () => {
      await pgbouncer.stop();
      await standby?.stop();
      await primary.stop();
    },
  };
}

type Replication = { pid: number; sync_state: string };

async function readReplication(url: string): Promise<Replication[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query<Replication>('select pid, sync_state from pg_stat_replication')).rows;
  } finally {
    await client.end();
  }
}
