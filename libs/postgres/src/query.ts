import pg from 'pg';
import type { ClientBase, Pool, PoolClient, QueryArrayConfig, QueryConfig } from 'pg';
import { withConnection } from './checkout.ts';
import { observeQuery } from './instruments.ts';

declare const inTransaction: unique symbol;

/** Receives the pool on which the transaction ran. */
export type CommitListener = (pool: Pool) => void;

/** An open transaction. Only `transaction` makes one, so a statement that asks for it cannot run outside. */
export type Transaction = Pick<PoolClient, 'query'> & {
  readonly [inTransaction]: true;
  /**
   * Runs `listener` once after a successful COMMIT, when the connection is back in the pool. It never runs after a
   * rollback. Adding the same function again has no effect. A rolled-back savepoint does not remove it. Its errors are
   * logged.
   */
  onCommit(listener: CommitListener): void;
};

/** What a statement runs on: the pool (its own connection, autocommit), a client, or an open transaction. */
export type Queryable = Pool | Pick<ClientBase, 'query'>;

/** The name is the prepared statement's name, the span's name and the metric label: one text for one name. */
export type NamedQuery = {
  name: string;
  text: string;
  values: unknown[];
  /** Rows as arrays in column order: half the cost of objects on pages of hundreds of rows. */
  rowMode?: 'array';
  /**
   * False plans the statement for its values at each run instead of preparing it under its name. Use it where
   * the best plan depends on how common a value is: a prepared statement keeps one plan.
   */
  prepare?: false;
};

type QueryOutput = { rows: unknown[]; rowCount: number | null };

/** All rows. */
export async function many<Row>(db: Queryable, query: NamedQuery): Promise<Row[]> {
  const { rows } = await run(db, query);
  return rows as Row[];
}

/** Exactly one row; anything else is a bug and throws. */
export async function one<Row>(db: Queryable, query: NamedQuery): Promise<Row> {
  const { rows } = await run(db, query);
  if (rows.length !== 1) throw new Error(`query ${query.name} gave ${rows.length} rows instead of one`);
  return rows[0] as Row;
}

/** The row, or undefined when there is none; several are a bug and throw. */
export async function maybeOne<Row>(db: Queryable, query: NamedQuery): Promise<Row | undefined> {
  const { rows } = await run(db, query);
  if (rows.length > 1) throw new Error(`query ${query.name} gave ${rows.length} rows instead of at most one`);
  return rows[0] as Row | undefined;
}

/** The number of rows the statement touched. */
export async function execute(db: Queryable, query: NamedQuery): Promise<number> {
  const { rowCount } = await run(db, query);
  return rowCount ?? 0;
}

function run(db: Queryable, query: NamedQuery): Promise<QueryOutput> {
  // Not pool.query: it closes the connection on every error, so a burst of conflicts would empty the pool.
  return db instanceof pg.Pool ? withConnection(db, (client) => runOn(client, query)) : runOn(db, query);
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

/** Bounds one run: what is left goes with the next. */
const maxBatches = 1_000;

/**
 * Removes old rows in short batches, each in its own transaction: `removeBatch` runs one
 * statement on the pool, removes at most `limit` rows and answers how many. Ends with the first batch that is not
 * full, when `stopping` aborts (a batch that has begun is finished), or after 1,000 batches. Returns how many rows went.
 * An error of `removeBatch` is thrown on; what went before stays gone.
 */
export async function removeInBatches(
  batchSize: number,
  removeBatch: (limit: number) => Promise<number>,
  stopping: AbortSignal,
): Promise<number> {
  let removed = 0;
  for (let batch = 0; batch < maxBatches && !stopping.aborted; batch += 1) {
    const count = await removeBatch(batchSize);
    removed += count;
    if (count < batchSize) break;
  }
  return removed;
}
