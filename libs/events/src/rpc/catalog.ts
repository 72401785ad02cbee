import { PlatformId, Uuid } from '@bv/contract';
import { z } from 'zod';
import type { EventDefinition } from '../define-event.ts';
import type { Nats } from '../nats/connect.ts';
import { brandChanged, orgChanged, promptChanged } from '../schemas/catalog.ts';
import { callRpc, defineRpc } from './rpc.ts';

/** The content of the event, so that the same upsert backfills a projection. */
const stateOf = <E extends EventDefinition>(event: E) =>
  z.object({ version: z.int().min(0), data: event.data as E['data'] }).nullable();

const ById = z.object({ id: Uuid });

/** Long enough for a busy catalog, short enough for the deadline of the edge. */
const findTimeoutMs = 2_000;

export const findOrgRpc = defineRpc({
  subject: 'rpc.catalog.find-org',
  timeoutMs: findTimeoutMs,
  request: ById,
  reply: stateOf(orgChanged),
});

export const findBrandRpc = defineRpc({
  subject: 'rpc.catalog.find-brand',
  timeoutMs: findTimeoutMs,
  request: ById,
  reply: stateOf(brandChanged),
});

export const findPromptRpc = defineRpc({
  subject: 'rpc.catalog.find-prompt',
  timeoutMs: findTimeoutMs,
  request: ById,
  reply: stateOf(promptChanged),
});

/** The markets that are scanned. Only catalog is configured with them. */
export const marketsRpc = defineRpc({
  subject: 'rpc.catalog.markets',
  timeoutMs: findTimeoutMs,
  request: z.object({}),
  reply: z.array(z.string()),
});

/** More brands are not created before their events arrive. */
export const newestBrandsLimit = 50;

/** Ids of an organisation's newest own brands that are not archived. A projection may not have them yet. */
export const newestBrandsRpc = defineRpc({
  subject: 'rpc.catalog.newest-brands',
  // Short, because without a reply the list only misses the newest brands.
  timeoutMs: 500,
  request: z.object({ org_id: Uuid }),
  reply: z.array(Uuid).max(newestBrandsLimit),
});

/** A page of the longest prompts stays below 1 MB. The enterprise tier has no limit of prompts. */
export const scanPlanPageSize = 200;

const PlannedPrompt = z.object({
  id: Uuid,
  text: z.string(),
  countries: z.array(z.string()),
  platforms: z.array(PlatformId),
});

/** What a scan of a brand would consist of now: its active prompts, by id. */
export const scanPlanRpc = defineRpc({
  subject: 'rpc.catalog.scan-plan',
  // For all pages of a plan.
  timeoutMs: 8_000,
  request: z.object({
    org_id: Uuid,
    brand_id: Uuid,
    after: Uuid.nullable().default(null).describe('Id of the last prompt of the previous page.'),
  }),
  reply: z
    .object({
      brand: brandChanged.data,
      org: orgChanged.data,
      archived: z.boolean(),
      prompts: z.array(PlannedPrompt).max(scanPlanPageSize),
      next: Uuid.nullable().describe('`after` of the next page; null on the last.'),
    })
    .nullable(),
});

type ScanPlanPage = NonNullable<z.infer<typeof scanPlanRpc.reply>>;
export type ScanPlan = Omit<ScanPlanPage, 'next'>;

/** Fetches all pages of the plan. Null if the organisation has no such brand. */
export async function fetchScanPlan(
  nats: Nats,
  brand: { org_id: string; brand_id: string },
): Promise<ScanPlan | null> {
  const deadline = Date.now() + scanPlanRpc.timeoutMs;
  const fetchPage = (after: string | null): Promise<ScanPlanPage | null> =>
    callRpc(nats, scanPlanRpc, { ...brand, after }, Math.max(1, deadline - Date.now()));
  let page = await fetchPage(null);
  const prompts: ScanPlan['prompts'] = [];
  while (page !== null) {
    prompts.push(...page.prompts);
    const { next, ...plan }: ScanPlanPage = page;
    if (next === null) return { ...plan, prompts };
    page = await fetchPage(next);
  }
  return null;
}
