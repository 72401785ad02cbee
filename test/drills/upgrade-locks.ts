import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';

export type LockWatch = {
  /** The longest wait for a lock of a table since the last call, and who waited for whom. */
  takeLongest(): string;
  /** Returns the error that ended the samples early, if any. */
  stop(): Promise<unknown>;
};

const sampleMs = 20;

type Wait = { ms: number; relation: string; mode: string; waiter: string; blocker: string };

/** Samples waits for locks of tables in all schemas, as the superuser. */
export async function watchLocks(postgresUrl: string): Promise<LockWatch> {
  const url = new URL(postgresUrl);
  url.pathname = '/brand_visibility';
  const client = new pg.Client({ connectionString: url.href, application_name: 'lock watch' });
  // The next sample fails too, and is reported.
  client.on('error', () => undefined);
  await client.connect();
  let longest: Wait | undefined;
  const stopping = new AbortController();
  const sample = async (): Promise<void> => {
    const { rows } = await client.query<Wait>(
      `select extract(epoch from clock_timestamp() - l.waitstart)::float8 * 1000 as ms, l.relation::regclass::text as relation,
         l.mode, a.application_name || ': ' || left(regexp_replace(a.query, '\\s+', ' ', 'g'), 80) as waiter,
         coalesce((select string_agg(b.application_name || ' (' || b.state || '): ' ||
             left(regexp_replace(b.query, '\\s+', ' ', 'g'), 80), '; ')
           from pg_stat_activity b where b.pid = any (pg_blocking_pids(l.pid))), 'none') as blocker
       from pg_locks l join pg_stat_activity a using (pid)
       where not l.granted and l.locktype = 'relation' and l.waitstart is not null
       order by l.waitstart limit 1`,
    );
    const [wait] = rows;
    if (wait !== undefined && wait.ms > (longest?.ms ?? 0)) longest = wait;
  };
  let failure: unknown;
  const loop = async (): Promise<void> => {
    while (!stopping.signal.aborted) {
      await sample();
      await sleep(sampleMs);
    }
  };
  const ended = loop().catch((error: unknown) => {
    failure = error;
  });
  return {
    takeLongest: () => {
      const wait = longest;
      longest = undefined;
      if (wait === undefined) return 'none';
      return `${Math.round(wait.ms)} ms for ${wait.mode} of ${wait.relation} by ${wait.waiter} behind ${wait.blocker}`;
    },
    stop: async () => {
      stopping.abort();
      await ended;
      await client.end();
      return failure;
    },
  };
}
