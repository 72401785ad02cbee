import type pg from 'pg';
import { eventually } from './eventually.ts';

/** Waits until a statement with this text waits for a lock in the database of `sql`. `%` stands for any text. */
export const waitUntilLocked = (sql: pg.Pool, text: string): Promise<void> =>
  eventually(async () => {
    const { rowCount } = await sql.query(
      `select from pg_stat_activity
       where datname = current_database() and wait_event_type = 'Lock' and query like $1`,
      [`%${text}%`],
    );
    if (rowCount === 0) throw new Error(`no statement with '${text}' waits for a lock`);
  });
