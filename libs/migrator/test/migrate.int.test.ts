import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { eventually, freePort, startPostgres, type TestServer } from '@bv/testkit';
import pg from 'pg';

const names = ['gateway', 'catalog', 'results', 'scans', 'webhooks'];
const root = new URL('../../../', import.meta.url);

let server: TestServer;

beforeAll(async () => {
  server = await startPostgres();
});

afterAll(() => server.stop());

function urlFor(name: string, database: string, secret = `secret of ${name}`): string {
  const url = new URL(server.url);
  url.username = `bv_${name}`;
  url.password = secret;
  url.pathname = `/${database}`;
  return url.href;
}

const createEnvironment = (database: string): Record<string, string> =>
  Object.fromEntries(names.map((name) => [`${name.toUpperCase()}_DATABASE_URL`, urlFor(name, database)]));

type Ended = { status: number | null; output: string };
type Migration = { saw(text: string): Promise<void>; ended: Promise<Ended> };

function startMigration(environment: Record<string, string>): Migration {
  const child = spawn(process.execPath, ['--conditions=@bv/source', 'libs/migrator/src/main.ts'], {
    cwd: root,
    env: { PATH: process.env['PATH'], ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => (output += text));
  }
  return {
    saw: (text) => eventually(() => expect(output).toContain(text), { timeoutMs: 30_000 }),
    ended: once(child, 'close').then(([status]) => ({ status: status as number | null, output })),
  };
}

const migrate = (environment: Record<string, string>): Promise<Ended> => startMigration(environment).ended;

async function rowsAs<Row extends pg.QueryResultRow>(connectionString: string, sql: string): Promise<Row[]> {
  const client = new pg.Client({ connectionString });
  await client.connect();
  try {
    return (await client.query<Row>(sql)).rows;
  } finally {
    await client.end();
  }
}

const findMigrations = (name: string, database: string) =>
  rowsAs<{ name: string }>(urlFor(name, database), 'SELECT name FROM schema_migrations ORDER BY id');

test('three concurrent runs and a fourth on an empty server apply each migration once', async () => {
  const environment = { ...createEnvironment('fresh'), ADMIN_DATABASE_URL: server.url };
  const ended = await Promise.all([migrate(environment), migrate(environment), migrate(environment)]);
  expect(ended.map(({ status, output }) => (status === 0 ? '' : output))).toEqual(['', '', '']);

  const before = await Promise.all(names.map((name) => findMigrations(name, 'fresh')));
  for (const applied of before) {
    expect(applied.length).toBeGreaterThan(0);
    expect(new Set(applied.map(({ name }) => name)).size).toBe(applied.length);
  }
  const again = await migrate(environment);
  expect(again.status).toBe(0);
  expect(again.output.match(/schema is up to date/g)).toHaveLength(names.length);
  expect(await Promise.all(names.map((name) => findMigrations(name, 'fresh')))).toEqual(before);
});

test('without the admin URL the roles must exist, and only migrations are applied', async () => {
  expect(await migrate(createEnvironment('fresh'))).toMatchObject({ status: 0 });

  const absent = await migrate({ ...createEnvironment('absent'), WAIT_MS: '0' });
  expect(absent.status).toBe(1);
  expect(absent.output).toContain('database \\"absent\\" does not exist');
});

test('waits for a server that starts later', async () => {
  const environment = { ...createEnvironment('later'), ADMIN_DATABASE_URL: server.url };
  await server.stop();
  const migration = startMigration(environment);
  await migration.saw('is unavailable: trying again');
  await server.start();
  expect(await migration.ended).toMatchObject({ status: 0 });
  expect(await findMigrations('scans', 'later')).not.toEqual([]);
});

test('fails if the server never starts, and logs no password', async () => {
  const port = await freePort();
  const environment = Object.fromEntries(
    names.map((name) => [
      `${name.toUpperCase()}_DATABASE_URL`,
      `postgres://bv_${name}:hidden@127.0.0.1:${port}/x`,
    ]),
  );
  const { status, output } = await migrate({ ...environment, WAIT_MS: '3000' });
  expect(status).toBe(1);
  expect(output.match(/is unavailable: trying again/g)?.length).toBeGreaterThan(1);
  expect(output).not.toContain('hidden');
});

test('names a role that provisioning would not create, and a missing variable', async () => {
  const other = new URL(urlFor('scans', 'fresh'));
  other.username = 'somebody';
  const environment = createEnvironment('fresh');
  const refused = await migrate({
    ...environment,
    SCANS_DATABASE_URL: other.href,
    ADMIN_DATABASE_URL: server.url,
  });
  expect(refused.status).toBe(1);
  expect(refused.output).toContain('the database URL of scans has the role somebody');

  const { SCANS_DATABASE_URL: _, ...incomplete } = environment;
  const missing = await migrate(incomplete);
  expect(missing.status).toBe(1);
  expect(missing.output).toContain('SCANS_DATABASE_URL');
});

test('waiting ends when another process has migrated, else it reports what is missing', async () => {
  const waiting = { WAIT_FOR: 'catalog', DATABASE_URL: urlFor('catalog', 'awaited') };
  const waits = startMigration(waiting);
  await waits.saw('waiting for the migrations');
  const alone = await migrate({ ...waiting, WAIT_MS: '0' });
  expect(alone.status).toBe(1);
  expect(alone.output).not.toContain('secret of catalog');

  expect((await migrate({ ...createEnvironment('awaited'), ADMIN_DATABASE_URL: server.url })).status).toBe(0);
  expect(await waits.ended).toMatchObject({ status: 0 });

  await rowsAs(urlFor('catalog', 'awaited'), 'DELETE FROM schema_migrations');
  const lacking = await migrate({ ...waiting, WAIT_MS: '0' });
  expect(lacking.status).toBe(1);
  expect(lacking.output).toMatch(/schema catalog lacks 0001_/);
});
