import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { provision, roleOf, sqlState } from '@bv/postgres';
import pg from 'pg';
import { databaseUrl, serviceUrl, testPassword } from './database-urls.ts';
import { postgresUrls, testEnvironment } from './environment.ts';
import { findTemplate } from './templates.ts';

export type TestDatabase = {
  /** As the service's role. */
  url: string;
  /** The same database as the superuser. */
  adminUrl: string;
  drop(): Promise<void>;
};

/**
 * Creates a database for one test file: a clone of the service's migrated template. For a name without migrations
 * (tests of libraries) it is an empty one with the role `bv_<name>` and the schema `<name>`.
 */
export async function createDatabase(
  service: string,
  database = `bv_test_${service}_${randomBytes(6).toString('hex')}`,
): Promise<TestDatabase> {
  const servers = postgresUrls(service);
  const [serverUrl = ''] = servers;
  const template = await findTemplate(testEnvironment('runDir'), service);
  if (template === undefined) {
    await provision({ adminUrl: serverUrl, database, services: [{ name: service, password: testPassword }] });
  } else {
    for (const server of servers)
      await withAdmin(server, (admin) => cloneTemplate(admin, { template, database, service }));
  }
  const adminUrl = databaseUrl(serverUrl, database);
  return {
    url: serviceUrl(adminUrl, service),
    adminUrl,
    drop: async () => {
      for (const server of servers)
        await withAdmin(server, async (admin) => {
          await admin.query(`DROP DATABASE IF EXISTS ${pg.escapeIdentifier(database)} WITH (FORCE)`);
        });
    },
  };
}

type Clone = { template: string; database: string; service: string };

async function cloneTemplate(admin: pg.Client, { template, database, service }: Clone): Promise<void> {
  const name = pg.escapeIdentifier(database);
  const role = pg.escapeIdentifier(roleOf(service));
  await whenTemplateIsFree(async () => {
    await admin.query(`CREATE DATABASE ${name} TEMPLATE ${pg.escapeIdentifier(template)} STRATEGY file_copy`);
  });
  // A clone does not include the privileges on the database itself.
  await admin.query(
    `REVOKE ALL ON DATABASE ${name} FROM PUBLIC; GRANT CONNECT ON DATABASE ${name} TO ${role}`,
  );
}

/** On a server that several runs share, another run may be connected to the template for a moment. */
async function whenTemplateIsFree(clone: () => Promise<void>): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await clone();
    } catch (error) {
      if (sqlState(error) !== '55006' || attempt === 50) throw error;
    }
    await sleep(100);
  }
}

async function withAdmin(url: string, use: (admin: pg.Client) => Promise<void>): Promise<void> {
  const admin = new pg.Client({ connectionString: url, connectionTimeoutMillis: 10_000 });
  admin.on('error', () => undefined);
  await admin.connect();
  try {
    await use(admin);
  } finally {
    await admin.end();
  }
}
