import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from '@bv/telemetry';
import type { RunnerOption } from 'node-pg-migrate';
import pg from 'pg';
import { openSession } from './session.ts';
import type { SessionSettings } from './session-settings.ts';

export type MigrateOptions = {
  /** Connects as the service's role, the owner of its schema. */
  connectionString: string;
  /** Contains only files named `NNNN_name.sql`. */
  dir: string;
  /** Settings of the session that the files read. */
  settings?: SessionSettings;
  log?: Logger;
};

const fileName = /^(\d{4})_[a-z0-9_]+\.sql$/;
/** Timeout of each statement and of the wait for another process that migrates the same schema. */
const statementTimeoutMs = 15 * 60_000;

const lockPollMs = 100;
/** First line of a file whose statements run without a transaction, which `create index concurrently` requires. */
const withoutTransaction = '-- without transaction\n';

/**
 * Applies pending migrations in order, each in its own transaction with the row that records it, and returns their names.
 * A second process waits and has nothing to apply. A file that begins with `-- without transaction` must be repeatable,
 * because a failure may leave a part of it.
 */
export async function migrate({
  connectionString,
  dir,
  settings = {},
  log,
}: MigrateOptions): Promise<string[]> {
  await checkFileNames(dir);
  const client = new pg.Client({
    connectionString,
    application_name: 'migrate',
    connectionTimeoutMillis: 10_000,
    query_timeout: statementTimeoutMs + 5_000,
    keepAlive: true,
  });
  client.on('error', (error) => log?.warn({ err: error }, 'migration connection broke'));
  // Loaded on demand, because most processes do not migrate.
  const { runner } = await import('node-pg-migrate');
  await openSession(client, () => client.connect(), {
    ...settings,
    statement_timeout: String(statementTimeoutMs),
  });
  try {
    const schema = await requireSchema(client);
    await lockSchema(client, schema);
    const applied = await runner({
      dbClient: client,
      dir,
      direction: 'up',
      schema,
      migrationsTable: 'schema_migrations',
      checkOrder: true,
      singleTransaction: false,
      migrationLoaderStrategies: [{ extensions: ['.sql'], loader: loadFiles }],
      noLock: true,
      logger: plainLogger(log),
    });
    return applied.map(({ name }) => name);
  } finally {
    await client.end();
  }
}

/** Names of pending migrations, oldest first. Throws while database, role or schema are missing. */
export async function pendingMigrations({ connectionString, dir }: MigrateOptions): Promise<string[]> {
  const names = (await readdir(dir)).map((name) => name.replace(/\.sql$/, '')).toSorted();
  const client = new pg.Client({
    connectionString,
    application_name: 'migrate',
    connectionTimeoutMillis: 10_000,
    query_timeout: 10_000,
  });
  await openSession(client, () => client.connect(), { statement_timeout: '10000' });
  try {
    await requireSchema(client);
    const { rows } = await client.query<{ applied: boolean }>(
      "SELECT to_regclass('schema_migrations') IS NOT NULL AS applied",
    );
    if (!rows[0]?.applied) return names;
    const seen = await client.query<{ name: string }>('SELECT name FROM schema_migrations');
    const known = new Set(seen.rows.map(({ name }) => name));
    return names.filter((name) => !known.has(name));
  } finally {
    await client.end();
  }
}

/** The library accepts any file name. A mistyped number must not change the order. */
async function checkFileNames(dir: string): Promise<void> {
  const numbers = new Map<string, string>();
  for (const name of (await readdir(dir)).toSorted()) {
    const number = fileName.exec(name)?.[1];
    if (number === undefined) throw new Error(`migration file ${name} is not named NNNN_name.sql`);
    const twin = numbers.get(number);
    if (twin) throw new Error(`migration files ${twin} and ${name} have the same number`);
    numbers.set(number, name);
  }
}

async function requireSchema(client: pg.Client): Promise<string> {
  const { rows } = await client.query<{ schema: string | null }>('SELECT current_schema() AS schema');
  const schema = rows[0]?.schema ?? null;
  if (schema === null || schema === 'public') {
    throw new Error(`the role has no schema to migrate (its current schema is ${schema ?? 'none'})`);
  }
  return schema;
}

/**
 * One lock per schema, so that the services of a database do not wait for each other. The end of the session releases it.
 * Polls, because `create index concurrently` would wait for a statement that waits for the lock.
 */
async function lockSchema(client: pg.Client, schema: string): Promise<void> {
  const key = createHash('sha256').update(`migrate ${schema}`).digest().readUIntBE(0, 6);
  const deadline = Date.now() + statementTimeoutMs;
  for (;;) {
    const text = 'SELECT pg_try_advisory_lock($1::bigint) AS locked';
    const { rows } = await client.query<{ locked: boolean }>(text, [key]);
    if (rows[0]?.locked === true) return;
    if (Date.now() > deadline) throw new Error(`another process migrates the schema ${schema}`);
    await sleep(lockPollMs);
  }
}

type Loader = Exclude<NonNullable<RunnerOption['migrationLoaderStrategies']>[number]['loader'], string>;

const loadFiles: Loader = async (paths) =>
  Promise.all(
    paths.map(async (path) => {
      const text = await readFile(path, 'utf8');
      const isAtomic = !text.startsWith(withoutTransaction);
      // Citus sends the whole text to a worker, which accepts one statement.
      const statements = splitStatements(text);
      return {
        id: path,
        filePaths: [path],
        actions: {
          up: (pgm) => {
            if (!isAtomic) pgm.noTransaction();
            for (const statement of statements) pgm.sql(statement);
          },
          down: false,
        },
      };
    }),
  );

/** The statements of a file. Each ends at the end of a line, and may contain text between two `$$`. */
export const splitStatements = (text: string): string[] =>
  (text.match(/(?:\$\$[^]*?\$\$|[^])+?(?:;\s*\n|$)/g) ?? []).filter((statement) => statement.trim() !== '');

type Level = 'info' | 'warn' | 'error';

/** Without it the library writes to the console. */
function plainLogger(log: Logger | undefined): Record<Level, (message: string) => void> {
  const write = (level: Level) => (message: string) => log?.[level](message);
  return { info: write('info'), warn: write('warn'), error: write('error') };
}
