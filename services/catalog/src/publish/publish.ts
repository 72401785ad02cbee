import {
  brandChanged,
  type EventData,
  orgChanged,
  promptChanged,
  publishEvent,
  publishEvents,
} from '@bv/events';
import type { Transaction } from '@bv/postgres';
import type { BrandRow } from '../db/brands.ts';
import { type CompetitorRow, listCompetitors } from '../db/competitors.ts';
import type { OrgRow } from '../db/orgs.ts';
import type { PromptRow } from '../db/prompts.ts';
import { toPlan } from '../domain/plan.ts';

export function orgData(org: OrgRow): EventData<typeof orgChanged> {
  const { api_access, on_demand_scans, ...limits } = toPlan(org).limits;
  const { id, name, tier, retention, created_at, updated_at, deleted_at, purge_requested_at } = org;
  const times = { created_at, updated_at, deleted_at, purge_requested_at };
  return { id, name, tier, api_access, on_demand_scans, limits, retention, ...times };
}

export function brandData(
  { version: _, ...brand }: BrandRow,
  linked: CompetitorRow[],
): EventData<typeof brandChanged> {
  // Without their aliases, so that 250 competitors fit into one message. Each competitor has its own event.
  const competitors = linked.map(({ id, name, domain }) => ({ id, name, domain }));
  return { ...brand, competitors };
}

export function promptData({ version: _, ...prompt }: PromptRow): EventData<typeof promptChanged> {
  return prompt;
}

/** Publishes the current state of the organisation, deleted or not. */
export function publishOrg(tx: Transaction, org: OrgRow): Promise<string> {
  return publishEvent(tx, orgChanged, { aggregateId: org.id, version: org.version, data: orgData(org) });
}

/** Publishes the current state of the brand. Reads the competitors of an own brand unless they are passed. */
export async function publishBrand(
  tx: Transaction,
  brand: BrandRow,
  linked?: CompetitorRow[],
): Promise<string> {
  const competitors = linked ?? (brand.is_own ? await listCompetitors(tx, brand.id) : []);
  const data = brandData(brand, competitors);
  return publishEvent(tx, brandChanged, { aggregateId: brand.id, version: brand.version, data });
}

export function publishPrompts(tx: Transaction, prompts: readonly PromptRow[]): Promise<string[]> {
  const publications = prompts.map((prompt) => ({
    aggregateId: prompt.id,
    version: prompt.version,
    data: promptData(prompt),
  }));
  return publishEvents(tx, promptChanged, publications);
}
