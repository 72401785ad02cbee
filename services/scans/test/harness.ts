import { randomUUID } from 'node:crypto';
import { type PlatformId, platformIds } from '@bv/contract';
import {
  brandChanged,
  connectNats,
  type EventData,
  type EventDefinition,
  findBrandRpc,
  findOrgRpc,
  type orgChanged,
  type ScanPlan,
  scanPlanPageSize,
  scanPlanRpc,
  serveRpc,
} from '@bv/events';
import { createLifecycle } from '@bv/lifecycle';
import { createSimulator, type Simulator } from '@bv/platform-simulator';
import { createLogger } from '@bv/telemetry';
import {
  callService,
  createDatabase,
  eventually,
  startNats,
  type TestDatabase,
  testCaller,
  testCallerSecret,
  type TestServer,
} from '@bv/testkit';
import { jetstream } from '@nats-io/jetstream';
import { expect } from '@jest/globals';
import pg from 'pg';
import { createApp } from '../src/app.ts';
import { readConfig } from '../src/config.ts';

const log = createLogger({ service: 'scans', level: process.env['TEST_LOG_LEVEL'] ?? 'silent' });

const simulatorPaths = {
  CHATGPT: 'openai',
  PERPLEXITY: 'perplexity',
  GEMINI: 'gemini',
  CLAUDE: 'anthropic',
  AI_OVERVIEWS: 'serpapi',
};

/** Environment variables that point every platform to the simulator. */
function platformEnvironment(simulatorUrl: string): Record<string, string> {
  return Object.fromEntries(
    Object.entries(simulatorPaths).flatMap(([prefix, path]) => [
      [`${prefix}_BASE_URL`, `${simulatorUrl}/${path}`],
      [`${prefix}_API_KEY`, 'simulator'],
    ]),
  );
}

type Stores = { database: TestDatabase; nats: TestServer; simulator: Simulator };

/** Environment variables of a process of the service. */
export function buildEnvironment(
  { database, nats, simulator }: Stores,
  overrides: Record<string, string> = {},
) {
  return {
    PORT: '0',
    MONITORING_PORT: '0',
    DATABASE_URL: database.url,
    NATS_URL: nats.url,
    CALLER_SECRETS: testCallerSecret,
    CHECK_RESPONSES: 'true',
    LOG_LEVEL: 'warn',
    DRAIN_MS: '0',
    RETRY_BASE_MS: '20',
    UNIT_TIMEOUT_MS: '10000',
    UNIT_LEASE_MS: '30000',
    SCHEDULE_INTERVAL_MS: '0',
    ...platformEnvironment(simulator.url),
    ...overrides,
  };
}

type Trouble = Parameters<Simulator['state']['setTrouble']>[0];

/** Sets or, with `kind` null, ends the trouble of the simulated platforms. */
export function simulate(
  { state }: Simulator,
  trouble: Omit<Trouble, 'platform'>,
  platforms: readonly PlatformId[] = platformIds,
): void {
  for (const platform of platforms) state.setTrouble({ platform, ...trouble });
}

/** Sums the samples of a metric of a process whose labels match. */
export async function sumMetric(monitoringPort: number, name: string, labels = ''): Promise<number> {
  const text = await (await fetch(`http://127.0.0.1:${monitoringPort}/metrics`)).text();
  const samples = text.matchAll(new RegExp(`^${name}\\{[^}]*${labels}[^}]*\\} (\\S+)$`, 'gm'));
  return Array.from(samples, ([, value]) => Number(value)).reduce((sum, value) => sum + value, 0);
}

/** Waits until a process has run a named statement `times` more times. */
export async function awaitStatements(monitoringPort: number, name: string, times: number): Promise<void> {
  const count = () => sumMetric(monitoringPort, 'bv_db_query_duration_seconds_count', `query="${name}"`);
  const before = await count();
  await eventually(async () => expect(await count()).toBeGreaterThanOrEqual(before + times));
}

type AppOptions = { now?: () => Date; env?: Record<string, string> };

/** Starts a replica in this process. */
export async function startReplica(stores: Stores, { now, env = {} }: AppOptions = {}) {
  const lifecycle = createLifecycle({ log, drainMs: 0 });
  const config = readConfig(buildEnvironment(stores, env));
  const app = await createApp(config, { log, lifecycle, ...(now === undefined ? {} : { now }) });
  return { ...app, base: `http://127.0.0.1:${app.port}`, stop: () => lifecycle.stop('test') };
}

/** Starts Postgres, NATS, the simulator and a stub of catalog on NATS, which returns the plans that the test registers. */
export async function startScans(options: { database?: TestDatabase } = {}) {
  const stores: Stores = {
    database: options.database ?? (await createDatabase('scans')),
    nats: await startNats(),
    simulator: await createSimulator(),
  };
  const connection = await connectNats({ url: stores.nats.url, name: 'test', log });
  const db = new pg.Pool({ connectionString: stores.database.url, max: 4 });
  // A test may stop the database.
  db.on('error', () => undefined);
  const plans = new Map<string, ScanPlan>();
  const orgs = new Map<string, EventData<typeof orgChanged>>();
  const rpcOptions = { queue: 'catalog', log };
  const findPlan = ({ org_id, brand_id }: { org_id: string; brand_id: string }) => {
    const plan = plans.get(brand_id);
    return plan?.org.id === org_id ? plan : undefined;
  };
  const servers = [
    serveRpc(
      connection,
      scanPlanRpc,
      async (request) => {
        const plan = findPlan(request);
        if (plan === undefined) return null;
        const start = plan.prompts.findIndex(({ id }) => id === request.after) + 1;
        const prompts = plan.prompts.slice(start, start + scanPlanPageSize);
        const hasMore = start + prompts.length < plan.prompts.length;
        return { ...plan, prompts, next: hasMore ? (prompts.at(-1)?.id ?? null) : null };
      },
      rpcOptions,
    ),
    serveRpc(
      connection,
      findBrandRpc,
      async ({ id }) => {
        const plan = plans.get(id);
        return plan === undefined ? null : { version: 1, data: plan.brand };
      },
      rpcOptions,
    ),
    serveRpc(
      connection,
      findOrgRpc,
      async ({ id }) => {
        const org = orgs.get(id);
        return org === undefined ? null : { version: 1, data: org };
      },
      rpcOptions,
    ),
  ];

  const publishEvent = async <E extends EventDefinition>(
    event: E,
    aggregateId: string,
    version: number,
    data: EventData<E>,
  ): Promise<void> => {
    const envelope = {
      id: randomUUID(),
      source: event.source,
      type: event.type,
      subject: aggregateId,
      time: new Date().toISOString(),
      version,
      data,
    };
    await jetstream(connection.connection).publish(`events.${event.type}`, JSON.stringify(envelope), {
      msgID: envelope.id,
    });
  };

  return {
    stores,
    connection,
    publishEvent,
    /** Registers the plan's brand and organisation in the stub of catalog. */
    registerPlan: (plan: ScanPlan) => {
      plans.set(plan.brand.id, plan);
      orgs.set(plan.org.id, plan.org);
      return plan;
    },
    /** Stops the stub of catalog. */
    stopCatalog: async () => {
      await Promise.all(servers.map((server) => server.stop()));
    },
    query: async <T>(text: string, values: unknown[] = []) => (await db.query(text, values)).rows as T[],
    /** The events of a type in the outbox; those of one aggregate in the order of their versions. */
    published: async <T>(type: string, aggregateId?: string) => {
      // Not by `created_at`, the start of a transaction: a later transaction may lock the row first.
      const { rows } = await db.query<{ version: string; data: T }>(
        `select version, envelope->'data' as data from outbox
         where type = $1 and ($2::text is null or aggregate_id = $2) order by aggregate_id, version`,
        [type, aggregateId ?? null],
      );
      return rows.map((row) => ({ version: Number(row.version), data: row.data }));
    },
    stop: async () => {
      await connection.close();
      await db.end();
      await stores.simulator.close();
      await stores.nats.stop();
      await stores.database.drop();
    },
  };
}

export type Harness = Awaited<ReturnType<typeof startScans>>;

type Event<T> = { version: number; data: T };
export type Events<E extends EventDefinition> = Event<EventData<E>>[];

/** `POST` a scan request as an organisation's key. */
export function requestScan(
  base: string,
  plan: ScanPlan,
  options: { key?: string; operationId?: string } = {},
) {
  return callService(base, {
    method: 'POST',
    path: `/v1/orgs/${plan.org.id}/brands/${plan.brand.id}/scan-requests`,
    caller: testCaller({ orgId: plan.org.id, operationId: options.operationId ?? null }),
    ...(options.key === undefined ? {} : { headers: { 'idempotency-key': options.key } }),
  });
}

export function getScan(base: string, plan: ScanPlan, jobId: string) {
  return callService(base, {
    path: `/v1/orgs/${plan.org.id}/brands/${plan.brand.id}/scan-requests/${jobId}`,
    caller: testCaller({ orgId: plan.org.id }),
  });
}

/** A call of the operator API. */
export function callOperatorApi(base: string, path: string, body?: unknown) {
  return callService(base, {
    method: 'POST',
    path: `/operator/v1${path}`,
    caller: testCaller({ orgId: null, owner: { kind: 'operator', id: randomUUID() }, link: null }),
    ...(body === undefined ? {} : { body }),
  });
}

const createdAt = '2026-01-02T03:04:05.000000Z';

type PlanOverrides = {
  prompts?: number;
  platforms?: PlatformId[];
  countries?: string[];
  manualScans?: number | null;
  onDemandScans?: boolean;
  archived?: boolean;
  brand?: Partial<ScanPlan['brand']>;
};

/** A scan plan of a new brand with prompts, as catalog returns it. */
export function planData(overrides: PlanOverrides = {}): ScanPlan {
  const { prompts = 2, platforms = [...platformIds], countries = ['US'], archived = false } = overrides;
  const orgId = randomUUID();
  return {
    archived,
    org: {
      id: orgId,
      name: 'Org',
      tier: 'growth',
      api_access: true,
      on_demand_scans: overrides.onDemandScans ?? true,
      limits: {
        prompts: 100,
        own_brands: 3,
        countries: 5,
        competitors_per_brand: 5,
        manual_scans: overrides.manualScans === undefined ? 10 : overrides.manualScans,
      },
      created_at: createdAt,
      updated_at: createdAt,
      deleted_at: null,
    },
    brand: {
      id: randomUUID(),
      org_id: orgId,
      name: 'Contoso',
      domain: 'contoso.com',
      aliases: [],
      is_own: true,
      external_ref: null,
      geography: 'global',
      sunset_at: archived ? createdAt : null,
      created_at: createdAt,
      updated_at: createdAt,
      competitors: [{ id: randomUUID(), name: 'Fabrikam', domain: 'fabrikam.com', aliases: [] }],
      ...overrides.brand,
    },
    prompts: Array.from({ length: prompts }, (_, index) => ({
      id: randomUUID(),
      text: `Is Contoso or Fabrikam the better choice for case ${index}?`,
      countries,
      platforms,
    })),
  };
}

/** Publishes a brand's state as catalog would. */
export function publishBrand(
  harness: Harness,
  plan: ScanPlan,
  version: number,
  change: Partial<ScanPlan['brand']> = {},
) {
  return harness.publishEvent(brandChanged, plan.brand.id, version, { ...plan.brand, ...change });
}
