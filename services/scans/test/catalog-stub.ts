import { randomUUID } from 'node:crypto';
import { defaultMatchRules, type PlatformId, platformIds } from '@bv/contract';
import {
  type brandChanged,
  type EventData,
  findBrandRpc,
  findOrgRpc,
  type Nats,
  type orgChanged,
  type ScanPlan,
  scanPlanPageSize,
  marketsRpc,
  platformDriftRpc,
  scanPlanRpc,
  serveRpc,
} from '@bv/events';
import type { Logger } from '@bv/telemetry';

type Brand = EventData<typeof brandChanged>;

export const drift = { platform: 'chatgpt', from: '2026-11-18', kind: 'no_model' } as const;

/** A stub of catalog on NATS. It returns the plans that the test registers, with their brands and organisations. */
export function startCatalogStub(nats: Nats, log: Logger) {
  const plans = new Map<string, ScanPlan>();
  const brands = new Map<string, { version: number; data: Brand }>();
  const orgs = new Map<string, EventData<typeof orgChanged>>();
  const options = { queue: 'catalog', log };
  const findPage = async (request: { org_id: string; brand_id: string; after: string | null }) => {
    const plan = plans.get(request.brand_id);
    if (plan?.org.id !== request.org_id) return null;
    const start = plan.prompts.findIndex(({ id }) => id === request.after) + 1;
    const prompts = plan.prompts.slice(start, start + scanPlanPageSize);
    const hasMore = start + prompts.length < plan.prompts.length;
    return { ...plan, prompts, next: hasMore ? (prompts.at(-1)?.id ?? null) : null };
  };
  let brandsAreReady: Promise<unknown> = Promise.resolve();
  const registerBrand = (data: Brand, version = 1): void => {
    brands.set(data.id, { version, data });
  };
  const servers = [
    serveRpc(nats, scanPlanRpc, findPage, options),
    serveRpc(nats, marketsRpc, async () => ['US', 'DE'], options),
    // Of results.
    serveRpc(nats, platformDriftRpc, async () => [drift], options),
    serveRpc(
      nats,
      findBrandRpc,
      async ({ id }) => {
        await brandsAreReady;
        return brands.get(id) ?? null;
      },
      options,
    ),
    serveRpc(
      nats,
      findOrgRpc,
      async ({ id }) => {
        const data = orgs.get(id);
        return data === undefined ? null : { version: 1, data };
      },
      options,
    ),
  ];
  return {
    registerPlan: (plan: ScanPlan): ScanPlan => {
      plans.set(plan.brand.id, plan);
      orgs.set(plan.org.id, plan.org);
      registerBrand(plan.brand);
      for (const competitor of plan.brand.competitors) registerBrand(competitorData(plan, competitor));
      return plan;
    },
    registerBrand,
    /** Requests of brands get no reply until the returned function is called. */
    holdBrands: (): (() => void) => {
      const { promise, resolve } = Promise.withResolvers<undefined>();
      brandsAreReady = promise;
      return () => resolve(undefined);
    },
    stopCatalog: async (): Promise<void> => {
      await Promise.all(servers.map((server) => server.stop()));
    },
  };
}

/** A linked competitor, as catalog has it. */
export function competitorData(
  { brand }: ScanPlan,
  competitor: Pick<Brand, 'id' | 'name' | 'domain'>,
  change: Partial<Brand> = {},
): Brand {
  const defaults = { aliases: [], match: defaultMatchRules, is_own: false, competitors: [] };
  return { ...brand, ...competitor, ...defaults, ...change };
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
      retention: { answer_text_days: null, unit_days: null },
      created_at: createdAt,
      updated_at: createdAt,
      deleted_at: null,
      purge_requested_at: null,
    },
    brand: {
      id: randomUUID(),
      org_id: orgId,
      name: 'Contoso',
      domain: 'contoso.com',
      aliases: [],
      match: defaultMatchRules,
      is_own: true,
      external_ref: null,
      geography: 'global',
      sunset_at: archived ? createdAt : null,
      created_at: createdAt,
      updated_at: createdAt,
      competitors: [{ id: randomUUID(), name: 'Fabrikam', domain: 'fabrikam.com' }],
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
