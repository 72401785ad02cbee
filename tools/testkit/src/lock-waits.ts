import type pg from 'pg';
import { eventually } from './eventually.ts';

/** Waits until `count` statements with this text wait for a lock in the database of `sql`. `%` stands for any text. */
export const waitUntilLocked = (sql: pg.Pool, text: string, count = 1): Promise<void> =>
  eventually(async () => {
    const { rowCount } = await sql.query(
      `select from pg_stat_activity
       where datname = current_database() and wait_event_type = 'Lock' and query like $1`,
      [`%${text}%`],
    );
    const waiting = rowCount ?? 0;
    if (waiting < count) throw new Error(`${waiting} of ${count} statements with '${text}' wait for a lock`);
  });
