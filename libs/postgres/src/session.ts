import type { Client, ClientBase } from 'pg';
import { markConnectError, markConnectionError, ReadOnlySessionError } from './availability.ts';

/** Settings of a session, by their names in PostgreSQL. */
export type SessionSettings = Readonly<Record<string, string>>;

type Row = { standby: boolean; read_only: string };

/**
 * Opens the session, applies its settings and checks that it can write. The settings are set by a statement instead of
 * startup parameters, which connection poolers reject.
 */
export async function openSession(
  client: Client,
  connect: () => Promise<unknown>,
  settings: SessionSettings,
): Promise<void> {
  // A broken connection rejects its statements with the same error. Without a listener the event would end the process.
  client.on('error', markConnectionError);
  let connected = false;
  try {
    await connect();
    connected = true;
    await checkSessionWritable(client, settings);
  } catch (error) {
    if (error instanceof ReadOnlySessionError) await endServerSession(client);
    if (connected) void client.end();
    throw markConnectError(error);
  }
}

/** A connection pooler keeps the session of a closed connection and would reuse it for the next one. */
async function endServerSession(client: Client): Promise<void> {
  await client.query('select pg_terminate_backend(pg_backend_pid())').catch(() => undefined);
}

/** Throws unless the session is on a primary that accepts writes. Applies `settings` in the same statement. */
export async function checkSessionWritable(
  client: Pick<ClientBase, 'query'>,
  settings: SessionSettings = {},
): Promise<void> {
  const set = Object.keys(settings).map(
    (_, index) => `set_config($${2 * index + 1}, $${2 * index + 2}, false)`,
  );
  const state = ['pg_is_in_recovery() as standby', "current_setting('transaction_read_only') as read_only"];
  const text = `select ${[...set, ...state].join(', ')}`;
  const { rows } = await client.query<Row>(text, Object.entries(settings).flat());
  const [row] = rows;
  if (row?.standby === false && row.read_only === 'off') return;
  throw new ReadOnlySessionError(
    row?.standby === true ? 'the database is a standby' : 'the database session is read-only',
  );
}
