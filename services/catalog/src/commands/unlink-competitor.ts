import { ApiError } from '@bv/contract';
import type { Transaction } from '@bv/postgres';
import { updateBrandVersion } from '../db/brands.ts';
import { deleteLink } from '../db/competitors.ts';
import { publishBrand } from '../events/publish.ts';
import { lockOwnBrand } from './link-competitor.ts';

/** Deletes the link, also of an archived brand. The competitor's row and history are kept. */
export async function unlinkCompetitor(
  tx: Transaction,
  link: { orgId: string; brandId: string; competitorId: string },
): Promise<void> {
  await lockOwnBrand(tx, link.orgId, link.brandId);
  if (!(await deleteLink(tx, link))) throw new ApiError('not_found');
  await publishBrand(tx, await updateBrandVersion(tx, link.brandId));
}
