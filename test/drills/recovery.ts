/**
 * Runs the commands for a point-in-time recovery in docs/operations/backup.md on a server of its own. A table is dropped
 * after the base backup. The recovery must return it with the rows up to the moment before.
 *   pnpm drill:recovery
 */
import { strict as assert } from 'node:assert';
import { chmod, chown, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  chooseSource,
  dataStoreIds,
  freePort,
  postgresIdentity,
  privateStackOptions,
  steadyEnvironment,
  waitUntil,
} from '@bv/local-stack';
import pg from 'pg';
import { runDocumentedCommands } from './documented-commands.ts';

const scratch = await mkdtemp(join(tmpdir(), 'bv-recovery-'));
await chmod(scratch, 0o755);
const user = await postgresIdentity();
if (user !== undefined) await chown(scratch, user.uid, user.gid);
const report = (line: string): void => console.log(line);
const backups = join(scratch, 'backups');

const source = await chooseSource({
  ...privateStackOptions(join(scratch, 'stack'), steadyEnvironment),
  required: [...dataStoreIds],
  report,
  preferBinaries: true,
});
const port = await freePort();
const start = (dir: string) => source.start('postgres', { dir, port, logFile: `${dir}.log`, durable: true });

function runCommands(name: string, variables: Record<string, string>): void {
  const options = { cwd: scratch, variables: { BACKUPS: backups, ...variables } };
  runDocumentedCommands(name, user === undefined ? options : { ...options, user });
}

async function query<Row extends pg.QueryResultRow>(url: string, text: string): Promise<Row[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query<Row>(text)).rows;
  } finally {
    await client.end();
  }
}

async function isArchived(url: string, file: string): Promise<boolean> {
  const [row] = await query<{ done: boolean }>(
    url,
    `select coalesce(last_archived_wal >= '${file}', false) as done from pg_stat_archiver`,
  );
  return row?.done ?? false;
}

/** Ends with a stopped server, whose table was dropped after the returned moment. */
async function loseTable(): Promise<string> {
  const dir = join(scratch, 'first');
  const first = await start(dir);
  runCommands('pitr-archive', { ADMIN_DATABASE_URL: first.url });
  await first.stop();
  const server = await start(dir);
  const { url } = server;
  try {
    await query(url, `create table kept as select 'before the base backup' as written`);
    runCommands('pitr-base', { ADMIN_DATABASE_URL: url });
    await query(url, `insert into kept values ('after the base backup')`);
    const [moment] = await query<{ at: string }>(url, 'select clock_timestamp()::text as at');
    await query(url, 'drop table kept');
    const [wal] = await query<{ file: string }>(url, 'select pg_walfile_name(pg_switch_wal()) as file');
    assert(moment !== undefined && wal !== undefined);
    assert(await waitUntil(() => isArchived(url, wal.file), { timeoutMs: 60_000, intervalMs: 200 }));
    return moment.at;
  } finally {
    await server.stop();
  }
}

async function recover(moment: string): Promise<void> {
  const dir = join(scratch, 'recovered');
  runCommands('pitr-restore', { PGDATA: dir, TARGET_TIME: moment });
  const server = await start(dir);
  const { url } = server;
  try {
    const isPrimary = async (): Promise<boolean> =>
      (await query<{ writable: boolean }>(url, 'select not pg_is_in_recovery() as writable'))[0]?.writable ??
      false;
    assert(await waitUntil(isPrimary, { timeoutMs: 60_000, intervalMs: 200 }), 'the recovery did not end');
    const rows = await query<{ written: string }>(url, 'select written from kept order by written desc');
    assert.deepEqual(
      rows.map(({ written }) => written),
      ['before the base backup', 'after the base backup'],
    );
  } finally {
    await server.stop();
  }
}

try {
  await recover(await loseTable());
  report('the recovered server has every row up to the moment before the loss');
} finally {
  await rm(scratch, { recursive: true, force: true });
}
process.exit();
