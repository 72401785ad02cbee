import { randomUUID } from 'node:crypto';
import {
  connectNats,
  findOrgRpc,
  orgChanged,
  publishEvent,
  serveRpc,
  startRelay,
  type EventData,
} from '@bv/events';
import { createPool, transaction } from '@bv/postgres';
import { createLogger, createMetrics } from '@bv/telemetry';
import { createDatabase } from '@bv/testkit';

type Org = EventData<typeof orgChanged>;

export type CatalogEvents = Awaited<ReturnType<typeof startCatalogEvents>>;

const limits = { prompts: 100, own_brands: 3, countries: 5, competitors_per_brand: 5, manual_scans: 10 };

/** Publishes organisations like catalog, through outbox, relay and stream, and serves its RPC. */
export async function startCatalogEvents(natsUrl: string) {
  const log = createLogger({ service: 'catalog', level: 'silent' });
  const metrics = createMetrics('catalog');
  // Any service's database has an outbox.
  const database = await createDatabase('gateway');
  const pool = createPool({ connectionString: database.url, applicationName: 'catalog', log, metrics });
  const nats = await connectNats({ url: natsUrl, name: 'catalog', log });
  const relay = await startRelay({ pool, nats, service: 'catalog', log, metrics });
  const known = new Map<string, { version: number; data: Org }>();
  const rpc = serveRpc(nats, findOrgRpc, async ({ id }) => known.get(id) ?? null, { queue: 'catalog', log });
  const now = (): string => new Date().toISOString();
  return {
    pool,
    /** An organisation of catalog whose event has not been published yet. */
    know: (changes: Partial<Org> = {}): Org => {
      const data: Org = {
        id: randomUUID(),
        name: 'Acme',
        tier: 'growth',
        api_access: true,
        on_demand_scans: true,
        limits,
        retention: { answer_text_days: null, unit_days: null },
        created_at: now(),
        updated_at: now(),
        deleted_at: null,
        purge_requested_at: null,
        ...changes,
      };
      known.set(data.id, { version: (known.get(data.id)?.version ?? 0) + 1, data });
      return data;
    },
    /** Commits the change; returns the id of the event in the outbox. */
    tell: (org: Org, version = known.get(org.id)?.version ?? 1): Promise<string> =>
      transaction(pool, (tx) => publishEvent(tx, orgChanged, { aggregateId: org.id, version, data: org })),
    stop: async () => {
      await rpc.stop();
      await relay.stop();
      await nats.close();
      await pool.end();
      await database.drop();
    },
  };
}
