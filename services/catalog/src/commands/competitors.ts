import { ApiError, type linkCompetitor, type RequestBody, validationError } from '@bv/contract';
import type { Transaction } from '@bv/postgres';
import { type BrandRow, updateBrandVersion } from '../db/brands.ts';
import {
  countCompetitors,
  deleteLink,
  findCompetitorByDomain,
  insertCompetitor,
  insertLink,
  isLinked,
} from '../db/competitors.ts';
import {
  checkNotArchived,
  type Competitor,
  competitorIsSelf,
  invalidDomain,
  toCompetitor,
} from '../domain/brands.ts';
import { checkCompetitorCap } from '../domain/caps.ts';
import { normaliseHost } from '@bv/source-url';
import { toPlan } from '../domain/plan.ts';
import { publishBrand } from '../publish/publish.ts';
import { type LockedParents, lockOwnBrand } from './brands.ts';

export type LinkedCompetitor = { brand: BrandRow; reused: boolean };

/** Links a competitor and reuses the organisation's row of that domain. Throws `conflict` if it is already linked. */
export async function addCompetitor(
  tx: Transaction,
  input: { orgId: string; brandId: string; competitor: RequestBody<typeof linkCompetitor> },
): Promise<LinkedCompetitor> {
  const host = normaliseHost(input.competitor.domain);
  if (host === undefined) throw validationError([invalidDomain('domain')]);
  const parents = await lockOwnBrand(tx, input.orgId, input.brandId);
  if (host === parents.brand.domain) throw validationError([competitorIsSelf('domain')]);
  checkNotArchived(parents.brand);
  const linked = await attachCompetitor(tx, parents, toCompetitor(input.competitor, host));
  if (!linked.added) throw new ApiError('conflict', { details: { competitor_id: linked.brand.id } });
  return linked;
}

/** Creates the competitor of the domain if it is missing and links it; `added` is false if it was already linked. */
export async function attachCompetitor(
  tx: Transaction,
  { org, brand }: LockedParents,
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

/** Deletes the link, also of an archived brand. The competitor's row and history are kept. */
export async function removeCompetitor(
  tx: Transaction,
  link: { orgId: string; brandId: string; competitorId: string },
): Promise<void> {
  await lockOwnBrand(tx, link.orgId, link.brandId);
  if (!(await deleteLink(tx, link))) throw new ApiError('not_found');
  await publishBrand(tx, await updateBrandVersion(tx, link.brandId));
}
