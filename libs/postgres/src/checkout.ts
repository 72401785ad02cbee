import type { Logger } from '@bv/telemetry';
import type { Pool, PoolClient } from 'pg';
import { decide, ReadOnlySessionError } from './availability.ts';
import { observeUnavailable } from './instruments.ts';
import { checkSessionWritable } from './session.ts';

type Tracked = { log: Logger; name: string; open: Set<PoolClient> };

const trackedPools = new WeakMap<Pool, Tracked>();
/** Connections that are closed when they return to the pool. */
const outdated = new WeakSet<PoolClient>();

/** Parameters that PostgreSQL 14 and later reports when a session stops accepting writes. */
const readOnlyParameters = new Set(['in_hot_standby', 'default_transaction_read_only']);
type Reporting = {
  connection: { on(event: 'parameterStatus', listener: (message: ParameterStatus) => void): void };
};
type ParameterStatus = { parameterName: string; parameterValue: string };

/** Tracks the pool's open connections, so that all of them can be replaced at once. */
export function trackConnections(pool: Pool, { log, name }: Pick<Tracked, 'log' | 'name'>): void {
  const open = new Set<PoolClient>();
  trackedPools.set(pool, { log, name, open });
  pool.on('connect', (client) => {
    open.add(client);
    (client as unknown as Reporting).connection.on('parameterStatus', (message) => {
      if (!readOnlyParameters.has(message.parameterName) || message.parameterValue !== 'on') return;
      if (outdated.has(client)) return;
      replaceConnections(pool, new Error(`the server reports ${message.parameterName} = on`));
    });
  });
  pool.on('remove', (client) => open.delete(client));
}

/** Undefined for a pool that `createPool` did not create. */
export function logOf(pool: Pool): Logger | undefined {
  return trackedPools.get(pool)?.log;
}

/** Runs `use` on a connection of the pool. Closes the connection if an error broke it. */
export async function withConnection<T>(pool: Pool, use: (client: PoolClient) => Promise<T>): Promise<T> {
  const client = await checkOut(pool);
  let failure: Failure | undefined;
  try {
    return await use(client);
  } catch (error) {
    failure = { error, isUsable: !isConnectionBroken(error) };
    throw error;
  } finally {
    checkIn(pool, client, failure);
  }
}

/** An error of a connection, and whether the connection can be used again. */
export type Failure = { error: unknown; isUsable: boolean };

/** Returns a connection that is not outdated. */
export async function checkOut(pool: Pool): Promise<PoolClient> {
  for (;;) {
    const client = await connect(pool);
    if (!outdated.has(client)) return client;
    client.release(true);
  }
}

/** Returns a connection to the pool, or closes it. */
export function checkIn(pool: Pool, client: PoolClient, failure?: Failure): void {
  if (failure !== undefined) recordError(pool, failure.error, client);
  client.release(failure?.isUsable === false || outdated.has(client));
}

/** Whether the error broke the connection. Most errors of a statement do not. */
export function isConnectionBroken(error: unknown): boolean {
  return decide(error).drop !== 'nothing';
}

async function connect(pool: Pool): Promise<PoolClient> {
  try {
    return await pool.connect();
  } catch (error) {
    recordError(pool, error);
    throw error;
  }
}

/** Counts unavailability. A statement that timed out keeps its connection and is not counted. */
function recordError(pool: Pool, error: unknown, client?: PoolClient): void {
  const { unavailable, drop } = decide(error);
  if (unavailable !== 'no' && drop !== 'nothing') observeUnavailable(pool, error);
  // Connections that were opened later lead to another server.
  const isOutdated = client !== undefined && outdated.has(client);
  if (drop === 'pool' && !isOutdated) replaceConnections(pool, error);
}

/** A read-only session means a demoted server. Connections that were opened before may lead to it as well. */
function replaceConnections(pool: Pool, reason: unknown): void {
  const tracked = trackedPools.get(pool);
  if (tracked === undefined) return;
  const { log, name, open } = tracked;
  const replaced = [...open].filter((client) => !outdated.has(client));
  if (replaced.length === 0) return;
  for (const client of replaced) outdated.add(client);
  const fields = { err: reason, pool: name, connections: replaced.length };
  log.warn(fields, 'database accepts no writes; open connections are replaced');
}

/**
 * Throws unless the database accepts writes. `select 1` would succeed on a standby and on a demoted primary. A connection
 * that was opened before a failover may lead to the old server, so a second one is checked if the first is read-only.
 */
export async function checkWritable(pool: Pool): Promise<void> {
  try {
    await withConnection(pool, checkSessionWritable);
  } catch (error) {
    if (!(error instanceof ReadOnlySessionError)) throw error;
    await withConnection(pool, checkSessionWritable);
  }
}
