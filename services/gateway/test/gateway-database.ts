import { createPool, type Pool } from '@bv/postgres';
import { createLogger, createMetrics, type Logger } from '@bv/telemetry';
import { createDatabase } from '@bv/testkit';

export type GatewayDatabase = { pool: Pool; log: Logger; close(): Promise<void> };

/** The gateway's database, fresh, with a pool on it: for what needs no gateway around it. */
export async function openGatewayDatabase(
  options: { statementTimeoutMs?: number } = {},
): Promise<GatewayDatabase> {
  const log = createLogger({ service: 'gateway', level: 'silent' });
  const database = await createDatabase('gateway');
  const pool = createPool({
    ...options,
    connectionString: database.url,
    applicationName: 'gateway',
    log,
    metrics: createMetrics('gateway'),
  });
  return {
    pool,
    log,
    close: async () => {
      await pool.end();
      await database.drop();
    },
  };
}
