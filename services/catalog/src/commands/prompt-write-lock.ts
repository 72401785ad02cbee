import { ApiError } from '@bv/contract';
import type { Transaction } from '@bv/postgres';
import { type BrandRow, lockBrand } from '../db/brands.ts';
import { lockOrg, type OrgRow } from '../db/orgs.ts';
import { tryPromptLock } from '../db/prompt-lock.ts';

/** The organisation and brand of the written prompts, locked until the transaction ends. */
export type LockedParents = { org: OrgRow; brand: BrandRow };

/**
 * Acquires the advisory lock of the brand's prompts, then the row locks of the organisation and the brand. All writes
 * use this order, which prevents deadlocks. If the advisory lock is held, it throws `prompt_writes_busy` at once: a
 * waiting transaction would occupy its connection. `PromptWriteQueue` waits instead.
 */
export async function lockForPromptWrite(
  tx: Transaction,
  orgId: string,
  brandId: string,
): Promise<LockedParents> {
  if (!(await tryPromptLock(tx, brandId))) throw new ApiError('prompt_writes_busy');
  const org = await lockOrg(tx, orgId);
  const brand = org && (await lockBrand(tx, orgId, brandId));
  if (!org || !brand) throw new ApiError('not_found');
  return { org, brand };
}
