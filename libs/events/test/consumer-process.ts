import { setTimeout as sleep } from 'node:timers/promises';
import { brandChanged, connectNats, startConsumer } from '@bv/events';
import { createPool, execute } from '@bv/postgres';
import { createLogger, createMetrics } from '@bv/telemetry';

/** A consumer in a process of its own, to be killed: `consumer-process.ts <postgres url> <nats url>`. */
const [postgresUrl = '', natsUrl = ''] = process.argv.slice(2);
const log = createLogger({ service: 'evtest', level: 'silent' });
const metrics = createMetrics('evtest');
const pool = createPool({ connectionString: postgresUrl, applicationName: 'consumer', log, metrics });
const nats = await connectNats({ url: natsUrl, name: 'consumer', log });
await startConsumer({
  pool,
  nats,
  service: 'evtest',
  source: 'catalog',
  ackWaitMs: 1_000,
  handlers: {
    [brandChanged.type]: async (tx, { data }) => {
      await execute(tx, {
        name: 'count-effect',
        text: `insert into effects (id, times) values ($1, 1)
               on conflict (id) do update set times = effects.times + 1`,
        values: [data.id],
      });
      await sleep(5);
    },
  },
  log,
  metrics,
});
