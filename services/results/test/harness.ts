import { expect } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import {
  brandChanged,
  connectNats,
  type EventData,
  type EventDefinition,
  type jobChanged,
  marketsRpc,
  promptChanged,
  serveRpc,
  type unitFinalised,
} from '@bv/events';
import { createLifecycle } from '@bv/lifecycle';
import { createLogger } from '@bv/telemetry';
import {
  type ServiceCall,
  callService,
  createDatabase,
  startNats,
  testCaller,
  testCallerSecret,
  eventually,
} from '@bv/testkit';
import { jetstream } from '@nats-io/jetstream';
import pg from 'pg';
import { createApp } from '../src/app.ts';
import { readConfig } from '../src/config.ts';

export const log = createLogger({ service: 'results', level: 'error' });

/** Starts the service with its own database and broker. `emit` publishes the events of catalog and scans. */
export async function startResults(options: { now?: () => Date } = {}) {
  const database = await createDatabase('results');
  const nats = await startNats();
  const config = readConfig({
    PORT: '0',
    MONITORING_PORT: '0',
    DATABASE_URL: database.url,
    NATS_URL: nats.url,
    CALLER_SECRETS: testCallerSecret,
    CURSOR_KEYS: `1:${Buffer.alloc(32, 7).toString('base64')}`,
    CHECK_RESPONSES: 'true',
    LOG_LEVEL: 'error',
    DRAIN_MS: '0',
  });
  const lifecycle = createLifecycle({ log, drainMs: 0 });
  const app = await createApp(config, { log, lifecycle, ...options });
  /** Starts another process of the service on the same stores. It stops together with the first. */
  const startReplica = async () => {
    const replica = createLifecycle({ log, drainMs: 0 });
    await createApp(config, { log, lifecycle: replica, ...options });
    lifecycle.onStop('replica', () => replica.stop('test'));
  };
  const connection = await connectNats({ url: nats.url, name: 'test', log });
  const db = new pg.Pool({ connectionString: database.url, max: 4 });
  const base = `http://127.0.0.1:${app.port}`;

  const emit = async <E extends EventDefinition>(
    event: E,
    aggregateId: string,
    version: number,
    data: EventData<E>,
  ) => {
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
    return envelope;
  };

  return {
    db,
    url: database.url,
    connection,
    emit,
    startReplica,
    call: (call: ServiceCall) => callService(base, call),
    get: (orgId: string, path: string) =>
      callService(base, { path: `/v1${path}`, caller: testCaller({ orgId }) }),
    query: async <T>(text: string, values: unknown[] = []) => (await db.query(text, values)).rows as T[],
    stop: async () => {
      await lifecycle.stop('test');
      await connection.close();
      await db.end();
      await nats.stop();
      await database.drop();
    },
  };
}

/** Waits until these brands and prompts are projected. Another consumer receives units and scans, possibly earlier. */
export async function knows(
  results: Harness,
  { brands, prompts = [] }: { brands: { id: string }[]; prompts?: { id: string }[] },
): Promise<void> {
  const expectRows = async (table: 'brands' | 'prompts', entities: { id: string }[]): Promise<void> => {
    const ids = entities.map(({ id }) => id);
    expect(await results.query(`select 1 from ${table} where id = any($1)`, [ids])).toHaveLength(ids.length);
  };
  await eventually(() => expectRows('brands', brands));
  await eventually(() => expectRows('prompts', prompts));
}

/** Serves the catalog's RPC for its markets. */
export const serveMarkets = (results: Harness) =>
  serveRpc(results.connection, marketsRpc, async () => ['DE', 'US'], { queue: 'catalog', log });

export type Harness = Awaited<ReturnType<typeof startResults>>;

const at = '2026-11-20T10:00:00Z';

/** The data of a catalog brand event. */
export function brandData(
  overrides: Partial<EventData<typeof brandChanged>> = {},
): EventData<typeof brandChanged> {
  return {
    id: randomUUID(),
    org_id: randomUUID(),
    name: 'Acme',
    domain: 'acme.com',
    aliases: [],
    is_own: true,
    external_ref: null,
    geography: 'global',
    sunset_at: null,
    created_at: at,
    updated_at: at,
    competitors: [],
    ...overrides,
  };
}

/** The data of a catalog prompt event. */
export function promptData(brand: { id: string; org_id: string }): EventData<typeof promptChanged> {
  return {
    id: randomUUID(),
    org_id: brand.org_id,
    brand_id: brand.id,
    text: 'Which anvil is best?',
    tags: [],
    countries: ['US'],
    platforms: ['chatgpt'],
    active: true,
    source: 'api',
    created_by_key_id: null,
    created_at: at,
    updated_at: at,
  };
}

type Unit = EventData<typeof unitFinalised>;
type Found = {
  id: string;
  name: string;
  domain: string;
  is_own: boolean;
  position: number | null;
  sentiment?: number | null;
  cited?: boolean;
};

/** The data of a unit event of scans. `found` lists every tracked brand with its position, null if not mentioned. */
export function unitData(
  prompt: { id: string; org_id: string; brand_id: string },
  found: Found[],
  overrides: Partial<Unit> = {},
): Unit {
  return {
    unit_id: randomUUID(),
    job_id: randomUUID(),
    org_id: prompt.org_id,
    brand_id: prompt.brand_id,
    prompt_id: prompt.id,
    platform: 'chatgpt',
    country: 'US',
    run_date: '2026-11-20',
    finalized_at: '2026-11-20T10:00:00.123456Z',
    outcome: 'answered',
    answer_text: 'Acme is good.',
    answer_truncated: false,
    model: 'm-1',
    search_used: true,
    localization: 'native',
    search_queries: ['anvils'],
    brands: found.map((brand) => ({
      brand_id: brand.id,
      name: brand.name,
      domain: brand.domain,
      is_own: brand.is_own,
      mentioned: brand.position !== null,
      mention_count: brand.position === null ? 0 : 1,
      position: brand.position,
      sentiment: brand.position === null ? null : (brand.sentiment ?? 50),
      cited: brand.cited ?? false,
    })),
    sources: [],
    ...overrides,
  };
}

/** The data of a job event of scans. */
export function jobData(
  brand: { id: string; org_id: string },
  jobId: string,
  overrides: Partial<EventData<typeof jobChanged>> = {},
): EventData<typeof jobChanged> {
  return {
    job_id: jobId,
    org_id: brand.org_id,
    brand_id: brand.id,
    status: 'completed',
    trigger: 'manual',
    run_date: '2026-11-20',
    idempotency_key: 'k',
    units: { total: 1, answered: 1, no_answer: 0, failed: 0 },
    platforms: ['chatgpt'],
    countries: ['US'],
    queued_at: at,
    started_at: at,
    completed_at: '2026-11-20T10:05:00Z',
    ...overrides,
  };
}

/** Publishes the catalog events of an own brand with one competitor and one prompt. */
export async function emitRivals(results: Harness) {
  const rival = brandData({ is_own: false, name: 'Rival', domain: 'rival.com' });
  const own = brandData({
    org_id: rival.org_id,
    competitors: [{ id: rival.id, name: 'Rival', domain: 'rival.com', aliases: [] }],
  });
  const prompt = promptData(own);
  await results.emit(brandChanged, rival.id, 1, rival);
  await results.emit(brandChanged, own.id, 1, own);
  await results.emit(promptChanged, prompt.id, 1, prompt);
  return { own, rival, prompt };
}
