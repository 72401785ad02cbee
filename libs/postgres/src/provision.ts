import { createHash, createHmac, pbkdf2Sync, randomBytes } from 'node:crypto';
import pg from 'pg';
import { openSession } from './session.ts';

export type ProvisionOptions = {
  /** URL of a role that may create databases and roles. Its database is only used to connect. */
  adminUrl: string;
  database: string;
  services: readonly { name: string; password: string }[];
};

/** Any number that is the same in every process that provisions. */
const lockKey = 4_071_937_221;
const ident = pg.escapeIdentifier;
const literal = pg.escapeLiteral;

/** The login role of a service. */
export const roleOf = (service: string): string => `bv_${service}`;

/**
 * Creates the database if it is missing, and for each service a role and a schema that no other role can read. It is
 * idempotent, also when run concurrently.
 */
export async function provision({ adminUrl, database, services }: ProvisionOptions): Promise<void> {
  await withClient(adminUrl, async (admin) => {
    // Concurrent changes of a role or database fail. The lock is released on disconnect.
    await admin.query('SELECT pg_advisory_lock($1)', [lockKey]);
    await createDatabase(admin, database);
    for (const { name, password } of services) await createRole(admin, roleOf(name), name, password);
    await withClient(urlOf(adminUrl, database), async (client) => {
      await closePublic(client, database);
      for (const { name } of services) await createSchema(client, database, name);
    });
  });
}

async function createDatabase(admin: pg.Client, database: string): Promise<void> {
  const { rowCount } = await admin.query('SELECT FROM pg_database WHERE datname = $1', [database]);
  if (rowCount) return;
  // Byte order on every machine, because keyset paging compares text.
  await admin.query(
    `CREATE DATABASE ${ident(database)} TEMPLATE template0 ENCODING 'UTF8' LC_COLLATE 'C' LC_CTYPE 'C'`,
  );
}

async function createRole(admin: pg.Client, role: string, schema: string, password: string): Promise<void> {
  const { rows } = await admin.query<{ powers: boolean }>(
    `SELECT rolsuper OR rolcreatedb OR rolcreaterole OR rolreplication OR rolbypassrls AS powers
     FROM pg_roles WHERE rolname = $1`,
    [role],
  );
  const [existing] = rows;
  const none = 'NOSUPERUSER NOCREATEDB NOCREATEROLE NOREPLICATION NOBYPASSRLS';
  const login = `LOGIN PASSWORD ${literal(scramVerifier(password))}`;
  const name = ident(role);
  // An existing role loses its powers only if it has any, because a statement that names them requires a superuser.
  if (!existing) await admin.query(`CREATE ROLE ${name} ${none} ${login}`);
  else await admin.query(`ALTER ROLE ${name} ${existing.powers ? none : ''} ${login}`);
  // Set on the role instead of role and database, so that a database cloned from a template has them.
  await admin.query(`ALTER ROLE ${name} SET search_path = ${ident(schema)}`);
  await admin.query(`ALTER ROLE ${name} SET jit = off`);
  await admin.query(`ALTER ROLE ${name} SET TimeZone = 'UTC'`);
}

/** Revokes every right of PUBLIC, which includes every role. */
async function closePublic(client: pg.Client, database: string): Promise<void> {
  await client.query(`REVOKE ALL ON DATABASE ${ident(database)} FROM PUBLIC`);
  await client.query('REVOKE ALL ON SCHEMA public FROM PUBLIC');
}

async function createSchema(client: pg.Client, database: string, service: string): Promise<void> {
  const role = ident(roleOf(service));
  const schema = ident(service);
  // Only a member of a role can give it a schema. A superuser needs no membership.
  const { rowCount } = await client.query('SELECT FROM pg_roles WHERE rolname = current_user AND rolsuper');
  if (!rowCount) await client.query(`GRANT ${role} TO CURRENT_USER`);
  await client.query(`GRANT CONNECT ON DATABASE ${ident(database)} TO ${role}`);
  await client.query(`CREATE SCHEMA IF NOT EXISTS ${schema} AUTHORIZATION ${role}`);
  await client.query(`ALTER SCHEMA ${schema} OWNER TO ${role}`);
  await client.query(`REVOKE ALL ON SCHEMA ${schema} FROM PUBLIC`);
}

function urlOf(adminUrl: string, database: string): string {
  const url = new URL(adminUrl);
  url.pathname = `/${encodeURIComponent(database)}`;
  return url.href;
}

async function withClient(connectionString: string, fn: (client: pg.Client) => Promise<void>): Promise<void> {
  const client = new pg.Client({
    connectionString,
    application_name: 'provision',
    connectionTimeoutMillis: 10_000,
    query_timeout: 65_000,
  });
  await openSession(client, () => client.connect(), { statement_timeout: '60000' });
  try {
    await fn(client);
  } finally {
    await client.end();
  }
}

const scramIterations = 4096;

/** The stored form of a password (RFC 5803), so that no statement and no log contains the password. */
function scramVerifier(password: string): string {
  const salt = randomBytes(16);
  const salted = pbkdf2Sync(password.normalize('NFKC'), salt, scramIterations, 32, 'sha256');
  const hmac = (text: string) => createHmac('sha256', salted).update(text).digest();
  const storedKey = createHash('sha256').update(hmac('Client Key')).digest('base64');
  const serverKey = hmac('Server Key').toString('base64');
  return `SCRAM-SHA-256$${scramIterations}:${salt.toString('base64')}$${storedKey}:${serverKey}`;
}
