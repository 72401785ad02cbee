import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals';
import { isConnectionBroken } from '../src/checkout.ts';
import { execute, isOutage, isUnavailable, many, one, savepoint, transaction } from '../src/index.ts';
import type { Pool, Queryable, Transaction } from '../src/index.ts';
import { createTestDatabase, openPool } from './database.ts';
import type { LoggedPool, TestDatabase } from './database.ts';

let db: TestDatabase;
let opened: LoggedPool;

beforeAll(async () => {
  db = await createTestDatabase();
  opened = openPool(db.urlOf(db.services[0] ?? ''), { max: 8 });
  await opened.pool.query('CREATE TABLE counters (id text PRIMARY KEY, n int NOT NULL)');
});

afterAll(async () => {
  // Nothing was left checked out: `end` would wait for it.
  expect(opened.pool.idleCount).toBe(opened.pool.totalCount);
  await opened.pool.end();
  await db.drop();
});

const insert = (tx: Queryable, id: string) =>
  execute(tx, { name: 'insert', text: 'INSERT INTO counters VALUES ($1, 0)', values: [id] });
const read = (db_: Queryable, id: string) =>
  one<{ n: number }>(db_, { name: 'read', text: 'SELECT n FROM counters WHERE id = $1', values: [id] });
const write = (tx: Queryable, id: string, n: number) =>
  execute(tx, { name: 'write', text: 'UPDATE counters SET n = $2 WHERE id = $1', values: [id, n] });
const ids = async (like: string) =>
  (
    await many<{ id: string }>(opened.pool, {
      name: 'ids',
      text: 'SELECT id FROM counters WHERE id LIKE $1 ORDER BY id',
      values: [like],
    })
  ).map(({ id }) => id);

describe('transaction', () => {
  test('commits and answers', async () => {
    const answer = await transaction(opened.pool, async (tx) => {
      await insert(tx, 'commit');
      return 'done';
    });
    expect(answer).toBe('done');
    expect(await ids('commit')).toEqual(['commit']);
  });

  test('rolls back on a throw and passes the error on', async () => {
    const refusal = new Error('refused');
    await expect(
      transaction(opened.pool, async (tx) => {
        await insert(tx, 'rollback');
        throw refusal;
      }),
    ).rejects.toBe(refusal);
    expect(await ids('rollback')).toEqual([]);
  });

  test('does not report success when a swallowed error undid it', async () => {
    await expect(
      transaction(opened.pool, async (tx) => {
        await insert(tx, 'swallowed');
        await insert(tx, 'swallowed').catch(() => undefined);
      }),
    ).rejects.toThrow('nothing was committed');
    expect(await ids('swallowed')).toEqual([]);
  });

  test('a statement after the end is refused', async () => {
    let leaked: Transaction | undefined;
    await transaction(opened.pool, async (tx) => {
      leaked = tx;
      await read(tx, 'commit');
    });
    await expect(insert(leaked as unknown as Transaction, 'late')).rejects.toThrow(
      'the transaction has already ended',
    );
    expect(await ids('late')).toEqual([]);
  });

  test('a failing branch does not let its sibling write outside', async () => {
    await expect(
      transaction(opened.pool, async (tx) => {
        const slow = async () => {
          await many(tx, { name: 'nap', text: 'SELECT pg_sleep(0.05)', values: [] });
          await insert(tx, 'sibling');
        };
        await Promise.all([slow(), Promise.reject(new Error('first'))]);
      }),
    ).rejects.toThrow('first');
    await new Promise((resolve) => setTimeout(resolve, 150));
    expect(await ids('sibling')).toEqual([]);
  });

  test('isolation and read only reach the server', async () => {
    const settings = await transaction(
      opened.pool,
      (tx) =>
        one(tx, {
          name: 'modes',
          text: `SELECT current_setting('transaction_isolation') AS level, current_setting('transaction_read_only') AS ro`,
          values: [],
        }),
      { isolation: 'repeatable read', readOnly: true },
    );
    expect(settings).toEqual({ level: 'repeatable read', ro: 'on' });
    await expect(transaction(opened.pool, (tx) => insert(tx, 'ro'), { readOnly: true })).rejects.toThrow(
      'in a read-only transaction: error: cannot execute INSERT',
    );
  });

  test('in index order: no bitmaps in this transaction, and in the next again', async () => {
    const bitmaps = (preferIndexScan: boolean) =>
      transaction(
        opened.pool,
        (tx) => one(tx, { name: 'bitmaps', text: 'SHOW enable_bitmapscan', values: [] }),
        { preferIndexScan },
      );
    expect(await bitmaps(true)).toEqual({ enable_bitmapscan: 'off' });
    expect(await bitmaps(false)).toEqual({ enable_bitmapscan: 'on' });
  });

  test('for lookups: no scan of a whole table in this transaction, and in the next again', async () => {
    const read = (lookups: boolean) =>
      transaction(
        opened.pool,
        (tx) =>
          one(tx, {
            name: 'lookup_settings',
            text: `SELECT current_setting('enable_seqscan') AS scan, current_setting('enable_hashjoin') AS hash,
              current_setting('enable_mergejoin') AS merge, current_setting('plan_cache_mode') AS plan`,
            values: [],
          }),
        { lookups },
      );
    expect(await read(true)).toEqual({ scan: 'off', hash: 'off', merge: 'off', plan: 'force_generic_plan' });
    expect(await read(false)).toEqual({ scan: 'on', hash: 'on', merge: 'on', plan: 'auto' });
  });

  const increment = (id: string) =>
    transaction(
      opened.pool,
      async (tx) => {
        const { n } = await read(tx, id);
        await many(tx, { name: 'nap_short', text: 'SELECT pg_sleep(0.01)', values: [] });
        await write(tx, id, n + 1);
      },
      { isolation: 'serializable' },
    );

  test('serialization failures are retried: no increment is lost', async () => {
    await insert(opened.pool, 'serial');
    await Promise.all(Array.from({ length: 3 }, () => increment('serial')));
    expect(await read(opened.pool, 'serial')).toEqual({ n: 3 });
  });

  test('a conflict that no retry heals is unavailability, and keeps the connection', async () => {
    await insert(opened.pool, 'contended');
    let attempts = 0;
    const work = transaction(
      opened.pool,
      async (tx) => {
        await read(tx, 'contended');
        await write(opened.pool, 'contended', (attempts += 1));
        await write(tx, 'contended', 0);
      },
      { isolation: 'repeatable read' },
    );
    const error: unknown = await work.catch((reason: unknown) => reason);
    expect(error).toMatchObject({ code: '40001' });
    expect([isUnavailable(error), isOutage(error), isConnectionBroken(error)]).toEqual([true, false, false]);
    expect(await read(opened.pool, 'contended')).toEqual({ n: attempts });
    expect(attempts).toBe(4);
  });

  test('a statement outside a transaction is retried too', async () => {
    await opened.pool.query(`CREATE SEQUENCE runs;
      CREATE FUNCTION deadlock_twice() RETURNS bigint LANGUAGE plpgsql AS $$ BEGIN
        IF nextval('runs') < 3 THEN RAISE EXCEPTION USING ERRCODE = '40P01'; END IF;
        RETURN currval('runs');
      END $$`);
    const query = { name: 'deadlock_twice', text: 'SELECT deadlock_twice() AS runs', values: [] };
    expect(await one(opened.pool, query)).toEqual({ runs: 3 });
  });

  test('a deadlock is retried', async () => {
    await insert(opened.pool, 'left');
    await insert(opened.pool, 'right');
    const both = (first: string, second: string) =>
      transaction(opened.pool, async (tx) => {
        await write(tx, first, 1);
        await many(tx, { name: 'nap_long', text: 'SELECT pg_sleep(0.1)', values: [] });
        await write(tx, second, 1);
      });
    await Promise.all([both('left', 'right'), both('right', 'left')]);
    expect(await read(opened.pool, 'left')).toEqual({ n: 1 });
  });
});

describe('a listener of the commit', () => {
  test('runs once for each function, after the commit and with the pool', async () => {
    const seen: unknown[] = [];
    const committed = (pool: Pool): void => void seen.push(pool, ids('listener'));
    await transaction(opened.pool, async (tx) => {
      tx.onCommit(committed);
      tx.onCommit(committed);
      await insert(tx, 'listener');
      expect(seen).toEqual([]);
    });
    expect(seen[0]).toBe(opened.pool);
    expect(await seen[1]).toEqual(['listener']);
    expect(seen).toHaveLength(2);
  });

  test('does not run after a rollback, nor after a commit that failed', async () => {
    const listener = jest.fn();
    const rolledBack = transaction(opened.pool, async (tx) => {
      tx.onCommit(listener);
      throw new Error('refused');
    });
    await expect(rolledBack).rejects.toThrow('refused');
    const notCommitted = transaction(opened.pool, async (tx) => {
      tx.onCommit(listener);
      await many(tx, { name: 'broken', text: 'SELECT 1 / 0', values: [] }).catch(() => undefined);
    });
    await expect(notCommitted).rejects.toThrow('nothing was committed');
    expect(listener).not.toHaveBeenCalled();
  });

  test('runs once for a transaction that was retried', async () => {
    await insert(opened.pool, 'retried');
    let attempts = 0;
    const listener = jest.fn();
    await transaction(
      opened.pool,
      async (tx) => {
        attempts += 1;
        tx.onCommit(() => listener(attempts));
        const { n } = await read(tx, 'retried');
        if (attempts === 1) await write(opened.pool, 'retried', 5);
        await write(tx, 'retried', n + 1);
      },
      { isolation: 'serializable' },
    );
    expect(await read(opened.pool, 'retried')).toEqual({ n: 6 });
    expect(listener.mock.calls).toEqual([[2]]);
  });

  test('that throws leaves the commit a success and the others to run', async () => {
    const next = jest.fn();
    const answer = await transaction(opened.pool, async (tx) => {
      tx.onCommit(() => {
        throw new Error('the listener is broken');
      });
      tx.onCommit(next);
      await insert(tx, 'despite');
      return 'done';
    });
    expect(answer).toBe('done');
    expect(await ids('despite')).toEqual(['despite']);
    expect(next).toHaveBeenCalledTimes(1);
    expect(opened.lines.filter((line) => line.includes('the listener is broken'))).toHaveLength(1);
  });

  test('cannot be added after the end', async () => {
    const leaked = await transaction(opened.pool, async (tx) => tx);
    expect(() => leaked.onCommit(() => undefined)).toThrow('the transaction has already ended');
  });
});

describe('savepoint', () => {
  test('undoes its own part alone, nested too', async () => {
    await transaction(opened.pool, async (tx) => {
      await insert(tx, 'sp-1');
      await expect(
        savepoint(tx, async () => {
          await insert(tx, 'sp-2');
          await savepoint(tx, () => insert(tx, 'sp-1')).catch(() => undefined);
          await insert(tx, 'sp-3');
          throw new Error('outer part fails');
        }),
      ).rejects.toThrow('outer part fails');
      await savepoint(tx, async () => {
        await insert(tx, 'sp-4');
        await savepoint(tx, () => insert(tx, 'sp-4')).catch(() => undefined);
        await insert(tx, 'sp-5');
      });
    });
    expect(await ids('sp-%')).toEqual(['sp-1', 'sp-4', 'sp-5']);
  });

  test('answers what its function answers', async () => {
    expect(await transaction(opened.pool, (tx) => savepoint(tx, async () => 7))).toBe(7);
  });
});
