import type { Pool, PoolClient } from 'pg';
import { checkIn, checkOut, type Failure, isConnectionBroken, logOf } from './checkout.ts';
import { shareObserver } from './instruments.ts';
import { lookupSettings } from './pool.ts';
import type { CommitListener, Transaction } from './query.ts';
import { retryConflicts } from './retry-conflicts.ts';
import { sqlState } from './availability.ts';

export type TransactionOptions = {
  isolation?: 'read committed' | 'repeatable read' | 'serializable';
  readOnly?: boolean;
  /**
   * For pages in the order of an index: forbids bitmap scans, which need a sort. A plan for the average owner expected one
   * row, and sorted 180,000 for a page of 1,000.
   */
  preferIndexScan?: boolean;
  /** For statements that find rows only by keys: the plans of the pool option `lookups`. */
  lookups?: boolean;
  /** Waits at most 100 ms for a lock, because it holds locks that others wait for. Commits before the disk has it. */
  brief?: boolean;
};

/**
 * Runs `fn` in one transaction. Returns its result after COMMIT and throws its error after ROLLBACK. A conflict
 * repeats `fn`, so it uses only the transaction, or what is harmless to repeat.
 */
export async function transaction<T>(
  pool: Pool,
  fn: (tx: Transaction) => Promise<T>,
  options: TransactionOptions = {},
): Promise<T> {
  return retryConflicts(() => attemptTransaction(pool, fn, options));
}

/** Runs `fn` inside a savepoint. If it throws, only its statements are rolled back. */
export async function savepoint<T>(tx: Transaction, fn: () => Promise<T>): Promise<T> {
  // One name is enough, because Postgres stacks savepoints of the same name.
  await tx.query('SAVEPOINT step');
  try {
    const result = await fn();
    await tx.query('RELEASE SAVEPOINT step');
    return result;
  } catch (error) {
    if (!isConnectionBroken(error)) await tx.query('ROLLBACK TO SAVEPOINT step; RELEASE SAVEPOINT step');
    throw error;
  }
}

async function attemptTransaction<T>(
  pool: Pool,
  fn: (tx: Transaction) => Promise<T>,
  options: TransactionOptions,
): Promise<T> {
  const client = await checkOut(pool);
  const { tx, listeners, end } = openTransaction(client);
  let result: T;
  let failure: Failure | undefined;
  try {
    await client.query(beginStatement(options));
    result = await fn(tx);
    end();
    await commit(client);
  } catch (cause) {
    end();
    const error = options.readOnly ? asCallerError(cause) : cause;
    failure = { error, isUsable: await rollBack(client, error) };
    throw error;
  } finally {
    checkIn(pool, client, failure);
  }
  notifyCommitted(pool, listeners);
  return result;
}

/** 25006 in a transaction opened as read-only is a caller's error, not a read-only database. */
function asCallerError(error: unknown): unknown {
  return sqlState(error) === '25006' ? new Error(`in a read-only transaction: ${String(error)}`) : error;
}

type OpenTransaction = { tx: Transaction; listeners: ReadonlySet<CommitListener>; end: () => void };

/** The handle ends with the transaction, so that a forgotten `await` in `fn` cannot write into another transaction. */
function openTransaction(client: PoolClient): OpenTransaction {
  let open = true;
  const ended = (): Error => new Error('the transaction has already ended');
  const query = (...args: Parameters<PoolClient['query']>): unknown =>
    open ? client.query(...args) : Promise.reject(ended());
  const listeners = new Set<CommitListener>();
  const onCommit = (listener: CommitListener): void => {
    if (!open) throw ended();
    listeners.add(listener);
  };
  const tx = { query, onCommit } as unknown as Transaction;
  shareObserver(client, tx);
  return {
    tx,
    listeners,
    end: () => {
      open = false;
    },
  };
}

async function commit(client: PoolClient): Promise<void> {
  const { command } = await client.query('COMMIT');
  // Postgres responds to the COMMIT of a failed transaction with ROLLBACK and without an error.
  if (command !== 'COMMIT')
    throw new Error('nothing was committed: a statement of the transaction had failed');
}

/** The write is committed, so an error of a listener must not reach the caller. */
function notifyCommitted(pool: Pool, listeners: ReadonlySet<CommitListener>): void {
  for (const listener of listeners) {
    try {
      listener(pool);
    } catch (error) {
      logOf(pool)?.error({ err: error }, 'listener of a committed transaction failed');
    }
  }
}

/** Returns whether the connection can be used again. A broken one cannot run ROLLBACK. */
async function rollBack(client: PoolClient, error: unknown): Promise<boolean> {
  if (isConnectionBroken(error)) return false;
  try {
    await client.query('ROLLBACK');
    return true;
  } catch {
    return false;
  }
}

const setLookups = Object.entries(lookupSettings)
  .map(([name, value]) => `; SET LOCAL ${name} = ${value}`)
  .join('');

/** Without statistics the planner would read whole tables. */
const setBrief =
  '; SET LOCAL lock_timeout = 100; SET LOCAL synchronous_commit = off; SET LOCAL enable_seqscan = off';

function beginStatement({ isolation, readOnly, preferIndexScan, ...options }: TransactionOptions): string {
  const level = isolation ? ` ISOLATION LEVEL ${isolation.toUpperCase()}` : '';
  const order = preferIndexScan ? '; SET LOCAL enable_bitmapscan = off' : '';
  return `BEGIN${level}${readOnly ? ' READ ONLY' : ''}${order}${options.lookups ? setLookups : ''}${options.brief ? setBrief : ''}`;
}
