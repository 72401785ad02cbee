import { randomUUID } from 'node:crypto';
import { type EventData, type EventDefinition, linkChanged, partnerChanged, publishEvent } from '@bv/events';
import { createLifecycle } from '@bv/lifecycle';
import { createPool, type Pool, transaction } from '@bv/postgres';
import { createLogger, createMetrics } from '@bv/telemetry';
import {
  callService,
  createDatabase,
  eventually,
  type ServiceResponse,
  startNats,
  testCaller,
  testCallerSecret,
} from '@bv/testkit';
import { createApp, type Deps } from '../src/app.ts';
import { readConfig } from '../src/config.ts';
import { upsertLink, upsertPartner } from '../src/db/projections.ts';

export type Call = { method?: string; path: string; body?: unknown; operationId?: string; limit?: number };

export type Webhooks = Awaited<ReturnType<typeof startWebhooks>>;

/** Settings for receivers on this machine, with short intervals. */
export function testEnvironment(databaseUrl: string, natsUrl: string): Record<string, string> {
  return {
    DATABASE_URL: databaseUrl,
    NATS_URL: natsUrl,
    PORT: '0',
    MONITORING_PORT: '0',
    CALLER_SECRETS: testCallerSecret,
    CURSOR_KEYS: `1:${Buffer.alloc(32, 1).toString('base64')}`,
    WEBHOOKS_SECRET_KEYS: `k1:${Buffer.alloc(32, 2).toString('base64')}`,
    CHECK_RESPONSES: 'true',
    NODE_ENV: 'test',
    LOG_LEVEL: 'error',
    DRAIN_MS: '0',
    WEBHOOKS_ALLOW_CIDRS: '127.0.0.0/8',
    WEBHOOKS_ALLOW_HTTP: 'true',
    WEBHOOKS_POLL_MS: '10',
    WEBHOOKS_RECLAIM_MS: '100',
    WEBHOOKS_STOP_GRACE_MS: '500',
  };
}

/** Starts the service with both roles in this process, with its own database and NATS server. */
export async function startWebhooks(env: Record<string, string> = {}, deps: Partial<Deps> = {}) {
  const [database, nats] = await Promise.all([createDatabase('webhooks'), startNats()]);
  const config = readConfig({ ...testEnvironment(database.url, nats.url), ...env });
  const log = createLogger({ service: 'webhooks-test', level: config.LOG_LEVEL });
  const lifecycle = createLifecycle({ log, drainMs: 0 });
  const { port } = await createApp(config, { log, lifecycle, ...deps });
  const baseUrl = `http://127.0.0.1:${port}`;
  const pool = createPool({
    connectionString: database.url,
    applicationName: 'webhooks-test',
    log,
    metrics: createMetrics('webhooks-test'),
  });
  return {
    baseUrl,
    database,
    nats,
    pool,
    stop: async () => {
      await lifecycle.stop('test');
      await pool.end();
      await Promise.all([database.drop(), nats.stop()]);
    },
    ...callers(baseUrl),
    ...publishers(pool),
  };
}

function callers(baseUrl: string) {
  const callAs =
    (kind: 'partner' | 'operator' | 'organisation', prefix: string) =>
    // oxlint-disable-next-line typescript/no-explicit-any -- tests look into bodies of every shape
    async <T = any>(ownerId: string, call: Call): Promise<ServiceResponse<T>> => {
      const { operationId = randomUUID(), method = 'GET', path, body } = call;
      const owner = { kind, id: ownerId };
      const operation = {
        operation: `${method} ${path}`,
        operationId: method === 'GET' ? null : operationId,
      };
      const caller = testCaller({ orgId: null, link: null, owner, ...operation });
      return callService<T>(baseUrl, { method, path: `${prefix}${path}`, caller, body });
    };
  return {
    /** Calls as this partner. */
    as: callAs('partner', '/v1'),
    asOrganisation: callAs('organisation', '/v1'),
    asOperator: (call: Call) => callAs('operator', '/operator/v1')('operator', call),
  };
}

let version = 0;
const toExternalRef = (orgId: string): string => `ref-${orgId.slice(0, 4)}`;

function publishers(pool: Pool) {
  const publish = async <E extends EventDefinition>(
    event: E,
    aggregateId: string,
    data: EventData<E>,
  ): Promise<string> =>
    transaction(pool, (tx) => publishEvent(tx, event, { aggregateId, version: (version += 1), data }));
  const updated_at = '2026-11-21T03:00:00.000Z';
  const setPartner = async (id: string, status: 'active' | 'suspended'): Promise<void> => {
    await publish(partnerChanged, id, { id, name: 'Partner', status, updated_at });
    await waitForRow(pool, 'select from partners where id = $1 and status = $2', [id, status]);
  };
  const setLink = async (partnerId: string, orgId: string, active = true): Promise<void> => {
    await publish(linkChanged, `${partnerId}:${orgId}`, {
      partner_id: partnerId,
      org_id: orgId,
      scope: 'read_only',
      external_ref: toExternalRef(orgId),
      active,
      updated_at,
    });
    await waitForRow(pool, 'select from links where partner_id = $1 and org_id = $2 and active = $3', [
      partnerId,
      orgId,
      active,
    ]);
  };
  return {
    publish,
    setPartner,
    setLink,
    /** Inserts a partner that is linked to a new organisation. */
    newPartner: async (): Promise<{ partnerId: string; orgId: string }> => {
      const [partnerId, orgId] = [randomUUID(), randomUUID()];
      // Directly into the projections: other tests cover the events of partners and links.
      await transaction(pool, async (tx) => {
        await upsertPartner(tx, { id: partnerId, status: 'active', version: (version += 1) });
        const externalRef = toExternalRef(orgId);
        await upsertLink(tx, { partnerId, orgId, externalRef, active: true, version: (version += 1) });
      });
      return { partnerId, orgId };
    },
  };
}

async function waitForRow(pool: Pool, text: string, values: unknown[]): Promise<void> {
  await eventually(async () => {
    const { rowCount } = await pool.query(text, values);
    if (rowCount === 0) throw new Error('not applied yet');
  });
}
