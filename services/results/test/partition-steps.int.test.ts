import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { createPool, type Pool } from '@bv/postgres';
import { createLogger, createMetrics } from '@bv/telemetry';
import { eventually, type TestDatabase } from '@bv/testkit';
import { partitionTables } from '../src/commands/partition-tables.ts';
import { partitionMetrics } from '../src/telemetry.ts';
import { createEarlierDatabase } from './earlier-database.ts';

const locked = 'a step of the partitioning waited too long for a lock; retrying';

let database: TestDatabase;
let pool: Pool;
let lines: Record<string, unknown>[];
let stopping: AbortController;
beforeEach(async () => {
  database = await createEarlierDatabase();
  lines = [];
  stopping = new AbortController();
  pool = createPool({
    connectionString: database.url,
    applicationName: 'test',
    // A busy machine opens connections slowly.
    connectionTimeoutMs: 15_000,
    log: createLogger({ service: 'results', level: 'silent' }),
    metrics: createMetrics('test'),
  });
});
afterEach(async () => {
  stopping.abort();
  await pool.end();
  await database.drop();
});

const partition = (switches: boolean): Promise<void> => {
  const destination = { write: (text: string) => void lines.push(JSON.parse(text)) };
  const log = createLogger({ service: 'results', level: 'info', destination });
  const metrics = partitionMetrics(createMetrics('test'));
  return partitionTables({ pool, metrics, log, switches }, stopping.signal);
};

type State = Record<'started' | 'copied' | 'switched', boolean>;

const findState = async (): Promise<State | undefined> => {
  const { rows } = await pool.query<State>(
    `select started_at is not null as started, copied_at is not null and copied_xid is not null as copied,
       switched_at is not null as switched from partitioning`,
  );
  return rows[0];
};

test.each([
  { step: 'start', before: { started: false, copied: false, switched: false } },
  { step: 'end', before: { started: true, copied: false, switched: false } },
  { step: 'switch', before: { started: true, copied: true, switched: false } },
])(
  'the step `$step` is repeated, and logged, while another replica takes one',
  async ({ step, before }) => {
    const tables = await pool.query<{ name: string }>('select name from partitioned_tables() order by place');
    if (before.started) {
      for (const { name } of tables.rows) await pool.query('select create_partitioned_table($1, 4)', [name]);
      await pool.query('select start_partition_copies()');
    }
    if (before.copied) await partition(false);
    expect(await findState()).toEqual(before);
    lines = [];
    const replica = await pool.connect();
    await replica.query('begin; select from partitioning for update');
    const partitioned = partition(true);
    try {
      await eventually(() => expect(lines.length).toBeGreaterThanOrEqual(2), { timeoutMs: 60_000 });
      for (const line of lines) expect(line).toMatchObject({ msg: locked, step });
      expect(await findState()).toEqual(before);
    } finally {
      replica.release(true);
    }
    await partitioned;
    expect(await findState()).toEqual({ started: true, copied: true, switched: true });
  },
  120_000,
);
