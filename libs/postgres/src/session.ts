import type { Client, ClientBase } from 'pg';
import { markConnectError, markConnectionError, ReadOnlySessionError } from './availability.ts';
import { pinnedSettings, type SessionSettings } from './session-settings.ts';

type Row = { standby: boolean; read_only: string };

/**
 * Opens the session, applies the pinned settings and its own, and checks that it can write. The settings are set by a
 * statement instead of startup parameters, which connection poolers reject.
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
    await checkSessionWritable(client, { ...pinnedSettings, ...settings });
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

/**
 * Skips names that only later versions of the server know. A name with a dot is our own. The schema of the role `bv_x` is
 * `x`, and no other schema is searched.
 */
const applyAndRead = `with given (name, setting) as (
    select * from unnest($1::text[], $2::text[])
    union all select 'search_path', quote_ident(substr(current_user, 4)) where starts_with(current_user, 'bv_')
  ), applied as (
    select set_config(name, setting, false) from given where current_setting(name, true) is not null or name like '%.%'
  )
  select pg_is_in_recovery() as standby, current_setting('transaction_read_only') as read_only, count(set_config)
    from applied`;

/** Throws unless the session is on a primary that accepts writes. Applies `settings` in the same statement. */
export async function checkSessionWritable(
  client: Pick<ClientBase, 'query'>,
  settings: SessionSettings = {},
): Promise<void> {
  const { rows } = await client.query<Row>(applyAndRead, [Object.keys(settings), Object.values(settings)]);
  const [row] = rows;
  if (row?.standby === false && row.read_only === 'off') return;
  throw new ReadOnlySessionError(
    row?.standby === true ? 'the database is a standby' : 'the database session is read-only',
  );
}
