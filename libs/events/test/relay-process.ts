import { connectNats, startRelay } from '@bv/events';
import { createPool } from '@bv/postgres';
import { createLogger, createMetrics } from '@bv/telemetry';

/** A relay in a process of its own, to be killed: `relay-process.ts <postgres url> <nats url>`. */
const [postgresUrl = '', natsUrl = ''] = process.argv.slice(2);
const log = createLogger({ service: 'evtest', level: 'silent' });
const metrics = createMetrics('evtest');
const pool = createPool({ connectionString: postgresUrl, applicationName: 'relay', log, metrics });
const nats = await connectNats({ url: natsUrl, name: 'relay', log });
await startRelay({ pool, nats, service: 'evtest', log, metrics });
