import {
  getScan as getScanOperation,
  type PlatformId,
  platformIds,
  requestScan as requestScanOperation,
} from '@bv/contract';
import { brandChanged, type EventData, type EventDefinition, type ScanPlan } from '@bv/events';
import { createSimulator, type Simulator } from '@bv/platform-simulator';
import {
  type CallOperation,
  eventually,
  openServiceStores,
  serviceEnvironment,
  type TestDatabase,
} from '@bv/testkit';
import { createApp } from '../src/app.ts';
import { readConfig } from '../src/config.ts';
import { startCatalogStub } from './catalog-stub.ts';

const simulatorPaths = {
  CHATGPT: 'openai',
  PERPLEXITY: 'perplexity',
  GEMINI: 'gemini',
  CLAUDE: 'anthropic',
  AI_OVERVIEWS: 'serpapi',
};

/** Environment variables of the service. All platforms are the simulator; nothing is scheduled or rated by an LLM. */
export function scansEnvironment(simulatorUrl: string): Record<string, string> {
  const platforms = Object.entries(simulatorPaths).flatMap(([prefix, path]) => [
    [`${prefix}_BASE_URL`, `${simulatorUrl}/${path}`],
    [`${prefix}_API_KEY`, 'simulator'],
  ]);
  return {
    RETRY_BASE_MS: '20',
    UNIT_TIMEOUT_MS: '10000',
    UNIT_LEASE_MS: '30000',
    SCHEDULE_INTERVAL_MS: '0',
    SENTIMENT_JUDGE: 'off',
    ...(Object.fromEntries(platforms) as Record<string, string>),
  };
}

/** Starts Postgres, NATS, the simulator and a stub of catalog. */
export async function startScans(options: { database?: TestDatabase } = {}) {
  const stores = await openServiceStores({ name: 'scans', readConfig, createApp } as const, options);
  const simulator = await createSimulator();
  const environment = scansEnvironment(simulator.url);
  const query = async <T>(text: string, values: unknown[] = []) =>
    (await stores.sql.query(text, values)).rows as T[];
  return {
    ...stores,
    ...startCatalogStub(stores.connection, stores.log),
    simulator,
    query,
    startReplica: ({ env = {}, now }: { env?: Record<string, string>; now?: () => Date } = {}) =>
      stores.startReplica({ env: { ...environment, ...env }, deps: now === undefined ? {} : { now } }),
    /** The environment of a replica in another process. */
    buildEnvironment: (overrides: Record<string, string>): Record<string, string> => ({
      ...serviceEnvironment({ databaseUrl: stores.database.url, natsUrl: stores.nats.url }),
      ...environment,
      ...overrides,
    }),
    /** The events of a type in the outbox; those of one aggregate in the order of their versions. */
    listPublished: <E extends EventDefinition>({ type }: E, aggregateId?: string) =>
      // Not by `created_at`, the start of a transaction: a later transaction may lock the row first.
      query<{ version: number; data: EventData<E> }>(
        `select version::int, envelope->'data' as data from outbox
         where type = $1 and ($2::text is null or aggregate_id = $2) order by aggregate_id, version`,
        [type, aggregateId ?? null],
      ),
    /** Publishes a brand's state as catalog would. */
    publishBrand: (
      { brand }: Pick<ScanPlan, 'brand'>,
      version: number,
      change: Partial<ScanPlan['brand']> = {},
    ) => stores.emit(brandChanged, brand.id, version, { ...brand, ...change }),
    stop: async (): Promise<void> => {
      await stores.stop();
      await simulator.close();
    },
  };
}

export type Harness = Awaited<ReturnType<typeof startScans>>;
export type Replica = Awaited<ReturnType<Harness['startReplica']>>;
type Client = { call: CallOperation };

const toParams = ({ org, brand }: ScanPlan) => ({ orgId: org.id, brandId: brand.id });

/** Requests a scan with a key of the plan's organisation. */
export function requestScan(
  { call }: Client,
  plan: ScanPlan,
  { key, operationId = null }: { key?: string; operationId?: string | null } = {},
) {
  return call(requestScanOperation, {
    params: toParams(plan),
    caller: { operationId },
    ...(key === undefined ? {} : { headers: { 'idempotency-key': key } }),
  });
}

/** Requests a scan that must be queued. Returns the id of its job. */
export async function queueScan(client: Client, plan: ScanPlan): Promise<string> {
  return (await requestScan(client, plan)).data.job_id;
}

export function getScan({ call }: Client, plan: ScanPlan, jobId: string) {
  return call(getScanOperation, { params: { ...toParams(plan), jobId } });
}

/** Waits until the job of a scan has ended. Returns it. */
export function awaitJob(client: Client, plan: ScanPlan, jobId: string, timeoutMs = 30_000) {
  return eventually(
    async () => {
      const { data } = await getScan(client, plan, jobId);
      if (data.completed_at === null) throw new Error(`the scan is ${data.status}`);
      return data;
    },
    { timeoutMs },
  );
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
export async function sumMetric(monitoringUrl: string, name: string, labels = ''): Promise<number> {
  const text = await (await fetch(`${monitoringUrl}/metrics`)).text();
  const samples = text.matchAll(new RegExp(`^${name}\\{[^}]*${labels}[^}]*\\} (\\S+)$`, 'gm'));
  return Array.from(samples, ([, value]) => Number(value)).reduce((sum, value) => sum + value, 0);
}

/** Waits until a process has run a named statement `times` more times. */
export async function awaitStatements(monitoringUrl: string, name: string, times: number): Promise<void> {
  const count = () => sumMetric(monitoringUrl, 'bv_db_query_duration_seconds_count', `query="${name}"`);
  const before = await count();
  await eventually(async () => {
    const run = (await count()) - before;
    if (run < times) throw new Error(`${name} ran ${run} times instead of ${times}`);
  });
}
