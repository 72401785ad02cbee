import { randomBytes, randomUUID } from 'node:crypto';
import { createLifecycle } from '@bv/lifecycle';
import { createLogger } from '@bv/telemetry';
import {
  callService,
  createDatabase,
  type ServiceResponse,
  startNats,
  testCaller,
  testCallerSecret,
} from '@bv/testkit';
import pg from 'pg';
import { createApp } from '../src/app.ts';
import { readConfig } from '../src/config.ts';

// oxlint-disable-next-line typescript/no-explicit-any -- tests look into bodies of every shape
export type Wire = any;
type Call = Parameters<typeof testCaller>[0];

/** The service as in production, with a separate database and broker for each test file. */
export type Catalog = Awaited<ReturnType<typeof startCatalog>>;

export async function startCatalog({ now }: { now?: () => Date } = {}) {
  const [database, nats] = await Promise.all([createDatabase('catalog'), startNats()]);
  const config = readConfig({
    PORT: '0',
    MONITORING_PORT: '0',
    DATABASE_URL: database.url,
    NATS_URL: nats.url,
    CALLER_SECRETS: testCallerSecret,
    CURSOR_KEYS: `1:${randomBytes(32).toString('base64')}`,
    CHECK_RESPONSES: 'true',
    LOG_LEVEL: 'silent',
    DRAIN_MS: '0',
  });
  const log = createLogger({ service: 'catalog', level: process.env['TEST_LOG'] ?? 'silent' });
  const lifecycle = createLifecycle({ log, drainMs: 0 });
  const { port, monitoringPort } = await createApp(config, { log, lifecycle, ...(now && { now }) });
  const baseUrl = `http://127.0.0.1:${port}`;
  const sql = new pg.Pool({ connectionString: database.url, max: 5, options: '-c TimeZone=UTC' });
  sql.on('error', () => undefined);

  const operator = (method: string, path: string, body?: unknown): Promise<ServiceResponse<Wire>> =>
    callService(baseUrl, {
      method,
      path: `/operator/v1${path}`,
      caller: testCaller({ orgId: null, link: null, owner: { kind: 'operator', id: randomUUID() } }),
      ...(body === undefined ? {} : { body }),
    });

  return {
    baseUrl,
    monitoringUrl: `http://127.0.0.1:${monitoringPort}`,
    natsUrl: nats.url,
    databaseUrl: database.url,
    sql,
    operator,
    /** Sends a request as the gateway would, for the organisation in the path. */
    call: (
      method: string,
      path: string,
      body?: unknown,
      { operationId, orgId, ...overrides }: NonNullable<Call> = {},
    ): Promise<ServiceResponse<Wire>> =>
      callService(baseUrl, {
        method,
        path: `/v1${path}`,
        caller: testCaller({
          orgId: orgId ?? path.split('/')[2] ?? null,
          operationId: operationId ?? null,
          operation: `${method} ${path.split('?')[0]}`,
          ...overrides,
        }),
        ...(body === undefined ? {} : { body }),
      }),
    /** Creates an organisation. */
    createOrg: async (tier = 'growth', overrides: object = {}): Promise<string> => {
      const { status, body } = await operator('POST', '/orgs', { name: 'Acme', tier, overrides });
      if (status !== 201) throw new Error(JSON.stringify(body));
      return body.data.id as string;
    },
    stop: async () => {
      await lifecycle.stop('test');
      await sql.end();
      await Promise.all([database.drop(), nats.stop()]);
    },
  };
}

let serial = 0;
/** Returns a host that no other brand uses. */
export const newHost = (): string => `brand-${(serial += 1)}-${process.pid}.com`;

export async function createBrand(catalog: Catalog, orgId: string, body: object = {}): Promise<Wire> {
  const sent = { name: 'Brand', domain: newHost(), ...body };
  const response = await catalog.call('POST', `/orgs/${orgId}/properties`, sent);
  if (response.status !== 201) throw new Error(JSON.stringify(response.body));
  return response.body.data;
}

export async function createPrompt(
  catalog: Catalog,
  brand: { orgId: string; id: string },
  body: object = {},
) {
  const sent = { text: `What is the best tool ${(serial += 1)}?`, countries: ['US'], ...body };
  const response = await catalog.call('POST', `/orgs/${brand.orgId}/brands/${brand.id}/prompts`, sent);
  if (response.status !== 201) throw new Error(JSON.stringify(response.body));
  return response.body.data;
}

/** Counts the statements that match `statement` and wait for a lock in the database of the test file. */
export async function lockWaiters({ sql }: Catalog, statement = '%'): Promise<number> {
  const { rowCount } = await sql.query(
    `select from pg_stat_activity
     where datname = current_database() and wait_event_type = 'Lock' and query like $1`,
    [statement],
  );
  return rowCount ?? 0;
}

/** Status, code and details of an error response. */
export const refusal = ({ status, body }: ServiceResponse<Wire>) => ({
  status,
  code: body.error?.code,
  details: body.error?.details,
});
