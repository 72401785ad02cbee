import pg from 'pg';
import type { ClientBase, Pool, PoolClient, QueryArrayConfig, QueryConfig } from 'pg';
import { withConnection } from './checkout.ts';
import { observeQuery } from './instruments.ts';
import { retryConflicts } from './retry-conflicts.ts';

declare const inTransaction: unique symbol;

/** Receives the pool on which the transaction ran. */
export type CommitListener = (pool: Pool) => void;

/** An open transaction. Only `transaction` creates it, so a function that requires it cannot run outside one. */
export type Transaction = Pick<PoolClient, 'query'> & {
  readonly [inTransaction]: true;
  /**
   * Runs `listener` once after a successful COMMIT, never after a rollback. The connection is back in the pool. Adding the
   * same function again has no effect. A rolled-back savepoint does not remove it. Its errors are logged.
   */
  onCommit(listener: CommitListener): void;
};

/** Runs statements: a pool (autocommit on any connection), a client, or an open transaction. */
export type Queryable = Pool | Pick<ClientBase, 'query'>;

/** The name is that of the prepared statement, the span and the metric label. A name has one text. */
export type NamedQuery = {
  name: string;
  text: string;
  values: unknown[];
  /** Rows as arrays in column order, at half the cost of objects on pages of hundreds of rows. */
  rowMode?: 'array';
  /**
   * False plans the statement for its values at each run. Use it if the best plan depends on how common a value is,
   * because a prepared statement keeps one plan.
   */
  prepare?: false;
};

type QueryOutput = { rows: unknown[]; rowCount: number | null };

/** All rows. */
export async function many<Row>(db: Queryable, query: NamedQuery): Promise<Row[]> {
  const { rows } = await run(db, query);
  return rows as Row[];
}

/** Exactly one row. Throws otherwise, because that is a bug. */
export async function one<Row>(db: Queryable, query: NamedQuery): Promise<Row> {
  const { rows } = await run(db, query);
  if (rows.length !== 1) throw new Error(`query ${query.name} returned ${rows.length} rows instead of one`);
  return rows[0] as Row;
}

/** The row, or undefined. Throws if there are several, because that is a bug. */
export async function maybeOne<Row>(db: Queryable, query: NamedQuery): Promise<Row | undefined> {
  const { rows } = await run(db, query);
  if (rows.length > 1)
    throw new Error(`query ${query.name} returned ${rows.length} rows instead of at most one`);
  return rows[0] as Row | undefined;
}

/** The number of rows that the statement changed or returned. */
export async function execute(db: Queryable, query: NamedQuery): Promise<number> {
  const { rowCount } = await run(db, query);
  return rowCount ?? 0;
}

function run(db: Queryable, query: NamedQuery): Promise<QueryOutput> {
  // Not `pool.query`, which closes the connection after every error, so that conflicts would empty the pool.
  if (!(db instanceof pg.Pool)) return runOn(db, query);
  return retryConflicts(() => withConnection(db, (client) => runOn(client, query)));
}

function toQueryConfig({ name, text, values, rowMode, prepare }: NamedQuery): QueryConfig | QueryArrayConfig {
  return {
    ...(prepare !== false && { name }),
    text,
    values,
    ...(rowMode && { rowMode }),
  };
}

async function runOn(client: Pick<ClientBase, 'query'>, query: NamedQuery): Promise<QueryOutput> {
  const startedAt = performance.now();
  try {
    const result: QueryOutput = await client.query(toQueryConfig(query));
    observeQuery(client, query.name, 'ok', startedAt);
    return result;
  } catch (error) {
    observeQuery(client, query.name, 'error', startedAt);
    if (error instanceof pg.DatabaseError) Object.assign(error, { query: query.name });
    throw error;
  }
}
