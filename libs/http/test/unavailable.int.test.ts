import { one, createPool } from '@bv/postgres';
import type { Pool } from '@bv/postgres';
import { route } from '@bv/http';
import { createLogger, createMetrics } from '@bv/telemetry';
import { eventually, startPostgres } from '@bv/testkit';
import type { TestServer } from '@bv/testkit';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { getSummary, operatorChange } from './operations.ts';
import { operator, startApp } from './start-app.ts';

const fast = { name: 'fast', text: 'select 1 as count', values: [] };
const slow = { name: 'slow', text: 'select 1 as count from pg_sleep(10)', values: [] };
let query = fast;
let postgres: TestServer;
let pool: Pool;
let app: Awaited<ReturnType<typeof startApp>>;

beforeAll(async () => {
  postgres = await startPostgres();
  pool = createPool({
    connectionString: postgres.url,
    applicationName: 'http-test',
    connectionTimeoutMs: 2_000,
    statementTimeoutMs: 1_000,
    log: createLogger({ service: 'catalog', level: 'silent' }),
    metrics: createMetrics('catalog'),
  });
  app = await startApp([
    route(getSummary, async () => ({ data: await one<{ count: number }>(pool, query) })),
    route(operatorChange, () => one(pool, query).then(() => ({ data: { ok: true } }))),
  ]);
});
afterAll(async () => {
  await app.close();
  await pool.end();
  await postgres.stop();
});

const call = () => app.call('/v1/things/summary');
const callAsOperator = () => app.call('/operator/v1/things', { method: 'POST', caller: operator() });

async function expectUnavailable(): Promise<void> {
  const { status, headers, json } = await call();
  expect({ status, retryAfter: headers.get('retry-after') }).toEqual({ status: 503, retryAfter: '5' });
  expect(json).toMatchObject({ error: { code: 'api_unavailable' } });
  expect(JSON.stringify(json)).not.toMatch(/postgres|database|127\.0\.0\.1|connect/i);
  const message = 'catalog cannot use its database now';
  expect((await callAsOperator()).json).toMatchObject({ error: { code: 'api_unavailable', message } });
}

test('503 api_unavailable when Postgres does not reply in time', async () => {
  query = slow;
  await expectUnavailable();
  query = fast;
  expect((await call()).status).toBe(200);
});

test('503 api_unavailable while Postgres is stopped, 200 when it is back', async () => {
  expect((await call()).status).toBe(200);
  await postgres.kill();
  await expectUnavailable();
  await expectUnavailable();
  await postgres.start();
  await eventually(async () => expect((await call()).status).toBe(200));
});
