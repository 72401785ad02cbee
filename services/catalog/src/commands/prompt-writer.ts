import { ApiError } from '@bv/contract';
import type { Transaction } from '@bv/postgres';
import { type BrandRow, lockBrand } from '../db/brands.ts';
import { lockOrg, type OrgRow } from '../db/orgs.ts';
import { claimPromptWriter } from '../db/prompt-writer.ts';

/** Where prompts are written, with its locks held until the transaction ends. */
export type PromptPlace = { org: OrgRow; brand: BrandRow };

/**
 * Makes this transaction the one writer of the brand's prompts, then locks the organisation and the brand: always in
 * this order, so that no two writers can wait for each other. It does not wait for another writer: a waiting
 * transaction would keep its connection. `PromptWriteQueue` waits instead.
 */
export async function enterPromptWrite(
  tx: Transaction,
  orgId: string,
  brandId: string,
): Promise<PromptPlace> {
  if (!(await claimPromptWriter(tx, brandId))) throw new ApiError('prompt_writes_busy');
  const org = await lockOrg(tx, orgId);
  const brand = org && (await lockBrand(tx, orgId, brandId));
  if (!org || !brand) throw new ApiError('not_found');
  return { org, brand };
}
