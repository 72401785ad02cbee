import { ApiError, validationError } from '@bv/contract';
import type { Transaction } from '@bv/postgres';
import { type BrandRow, lockBrand, updateBrandVersion } from '../db/brands.ts';
import {
  countCompetitors,
  findCompetitorByDomain,
  insertCompetitor,
  insertLink,
  isLinked,
} from '../db/competitors.ts';
import { lockOrg, type OrgRow } from '../db/orgs.ts';
import { checkCompetitorCap } from '../domain/caps.ts';
import { normaliseHost } from '../domain/host-name.ts';
import { toPlan } from '../domain/plan.ts';
import { type Competitor, competitorIsSelf, invalidDomain } from '../domain/property-input.ts';
import { publishBrand } from '../events/publish.ts';
import { assertNotArchived, assertOwnBrand } from './assert-brand.ts';

export type LinkedCompetitor = { brand: BrandRow; reused: boolean };

/** Locks the organisation, then the brand: the order of every write. */
export async function lockOwnBrand(
  tx: Transaction,
  orgId: string,
  brandId: string,
): Promise<{ org: OrgRow; brand: BrandRow }> {
  const org = await lockOrg(tx, orgId);
  const brand = org && (await lockBrand(tx, orgId, brandId));
  if (!org || !brand) throw new ApiError('not_found');
  assertOwnBrand(brand);
  return { org, brand };
}

/** Links a competitor and reuses the organisation's row of that domain. Throws `conflict` if it is already linked. */
export async function linkCompetitor(
  tx: Transaction,
  input: { orgId: string; brandId: string; competitor: Competitor },
): Promise<LinkedCompetitor> {
  const host = normaliseHost(input.competitor.domain);
  if (host === undefined) throw validationError([invalidDomain('domain')]);
  const { org, brand } = await lockOwnBrand(tx, input.orgId, input.brandId);
  if (host === brand.domain) throw validationError([competitorIsSelf('domain')]);
  assertNotArchived(brand);
  const linked = await attachCompetitor(tx, { org, brand }, { name: input.competitor.name, domain: host });
  if (!linked.added) throw new ApiError('conflict', { details: { competitor_id: linked.brand.id } });
  return linked;
}

/** Creates the competitor of the domain if it is missing and links it; `added` is false if it was already linked. */
export async function attachCompetitor(
  tx: Transaction,
  { org, brand }: { org: OrgRow; brand: BrandRow },
  competitor: Competitor,
): Promise<LinkedCompetitor & { added: boolean }> {
  const existing = await findCompetitorByDomain(tx, org.id, competitor.domain);
  if (existing && (await isLinked(tx, brand.id, existing.id))) {
    return { brand: existing, reused: true, added: false };
  }
  checkCompetitorCap(toPlan(org), (await countCompetitors(tx, brand.id)) + 1);
  const row = existing ?? (await insertCompetitor(tx, { orgId: org.id, ...competitor }));
  if (!existing) await publishBrand(tx, row);
  await insertLink(tx, { orgId: org.id, brandId: brand.id, competitorId: row.id });
  await publishBrand(tx, await updateBrandVersion(tx, brand.id));
  return { brand: row, reused: existing !== undefined, added: true };
}
