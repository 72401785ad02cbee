import { type EventData, findOrgRpc, type orgChanged, serveRpc } from '@bv/events';
import { applyRetention } from '../src/commands/apply-retention.ts';
import { createServicePool } from './check-windows.ts';
import type { Results } from './results.ts';

type Org = EventData<typeof orgChanged>;
export type OrgRetention = Org['retention'];

/** The data of a catalog organisation event. */
export const orgData = (id: string, retention: OrgRetention): Org => ({
  id,
  name: 'Acme Ltd',
  tier: 'growth',
  api_access: true,
  on_demand_scans: true,
  limits: { prompts: null, own_brands: null, countries: null, competitors_per_brand: 5, manual_scans: 10 },
  retention,
  created_at: '2026-11-01T00:00:00Z',
  updated_at: '2026-11-01T00:00:00Z',
  deleted_at: null,
  purge_requested_at: null,
});

export const asInstalled: OrgRetention = { answer_text_days: null, unit_days: null };

/** Serves the organisations of a catalog. Those without an entry have the retention of the installation. */
export async function serveOrgs(results: Results, orgs: ReadonlyMap<string, Org> = new Map()) {
  const server = serveRpc(
    results.connection,
    findOrgRpc,
    async ({ id }) => ({ version: 1, data: orgs.get(id) ?? orgData(id, asInstalled) }),
    { queue: 'catalog', log: results.log },
  );
  await results.connection.connection.flush();
  return server;
}

type Settings = {
  today?: string;
  answerTextDays?: number;
  unitDays?: number;
  /** Gets the milliseconds for which each batch held its lock. */
  held?: number[];
};

/** Ends the retention of days once, as the maintenance of a process does. */
export async function endRetention(
  results: Results,
  { today = '2026-11-21', answerTextDays = 0, unitDays = 0, held = [] }: Settings,
): Promise<void> {
  const pool = createServicePool(results);
  try {
    await applyRetention(
      {
        pool,
        nats: results.connection,
        retention: { answerTextDays, unitDays },
        today,
        metrics: { removed: () => undefined, backlog: () => undefined, batch: (heldMs) => held.push(heldMs) },
        log: results.log,
      },
      new AbortController().signal,
    );
  } finally {
    await pool.end();
  }
}
