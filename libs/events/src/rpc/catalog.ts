import { PlatformId, Uuid } from '@bv/contract';
import { z } from 'zod';
import type { EventDefinition } from '../define-event.ts';
import type { Nats } from '../nats/connect.ts';
import { brandChanged, orgChanged, promptChanged } from '../schemas/catalog.ts';
import { callRpc, defineRpc } from './rpc.ts';

/** Exactly what the event carries, so that a projection is healed by the same upsert. */
const stateOf = <E extends EventDefinition>(event: E) =>
  z.object({ version: z.int().min(0), data: event.data as E['data'] }).nullable();

const ById = z.object({ id: Uuid });

/** A client waits for these: long enough for a busy catalog, short enough for the deadline of the edge. */
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

/** The markets that are scanned: catalog alone is configured with them. */
export const marketsRpc = defineRpc({
  subject: 'rpc.catalog.markets',
  timeoutMs: findTimeoutMs,
  request: z.object({}),
  reply: z.array(z.string()),
});

/** More are not made in the time an event travels. */
export const newestBrandsLimit = 50;

/** Ids of an organisation's newest own brands that are not archived: those a list may not have heard of yet. */
export const newestBrandsRpc = defineRpc({
  subject: 'rpc.catalog.newest-brands',
  // Short: without a reply the list of a caller is only a little older.
  timeoutMs: 500,
  request: z.object({ org_id: Uuid }),
  reply: z.array(Uuid).max(newestBrandsLimit),
});

/** A page of this many prompts stays under 1 MB with the longest texts: an enterprise plan has no cap of prompts. */
export const scanPlanPageSize = 200;

const PlannedPrompt = z.object({
  id: Uuid,
  text: z.string(),
  countries: z.array(z.string()),
  platforms: z.array(PlatformId),
});

/** What is to be scanned for a brand, as catalog knows it now. Prompts are the active ones, by id. */
export const scanPlanRpc = defineRpc({
  subject: 'rpc.catalog.scan-plan',
  // For all pages of a plan together.
  timeoutMs: 8_000,
  request: z.object({
    org_id: Uuid,
    brand_id: Uuid,
    after: Uuid.nullable().default(null).describe('Id of the last prompt of the page before.'),
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

/** The whole plan, page by page; null when the organisation has no such brand. */
export async function fetchScanPlan(
  nats: Nats,
  brand: { org_id: string; brand_id: string },
): Promise<ScanPlan | null> {
  const deadline = Date.now() + scanPlanRpc.timeoutMs;
  const ask = (after: string | null): Promise<ScanPlanPage | null> =>
    callRpc(nats, scanPlanRpc, { ...brand, after }, Math.max(1, deadline - Date.now()));
  let page = await ask(null);
  const prompts: ScanPlan['prompts'] = [];
  while (page !== null) {
    prompts.push(...page.prompts);
    const { next, ...plan }: ScanPlanPage = page;
    if (next === null) return { ...plan, prompts };
    page = await ask(next);
  }
  return null;
}
