import { ApiError } from '@bv/contract';
import { sqlState, type Transaction } from '@bv/postgres';
import { type BrandRow, lockBrand } from '../db/brands.ts';
import { lockOrg, type OrgRow } from '../db/orgs.ts';
import { claimPromptWriter, lockPromptWriter, setLockTimeout } from '../db/prompt-writer.ts';

const longestWaitMs = 2_000;
const lockNotAvailable = '55P03';

/**
 * Makes this transaction the one writer of the brand's prompts, then locks the organisation and the brand:
 * always in this order, so that no two writers can wait for each other.
 */
export async function enterPromptWrite(
  tx: Transaction,
  orgId: string,
  brandId: string,
  { wait }: { wait: boolean },
): Promise<{ org: OrgRow; brand: BrandRow }> {
  if (!(await claimPromptWriter(tx, brandId))) {
    if (!wait) throw new ApiError('prompt_writes_busy');
    await waitForWriter(tx, brandId);
  }
  const org = await lockOrg(tx, orgId);
  const brand = org && (await lockBrand(tx, orgId, brandId));
  if (!org || !brand) throw new ApiError('not_found');
  return { org, brand };
}

async function waitForWriter(tx: Transaction, brandId: string): Promise<void> {
  await setLockTimeout(tx, longestWaitMs);
  try {
    await lockPromptWriter(tx, brandId);
  } catch (error) {
    if (sqlState(error) === lockNotAvailable) throw new ApiError('prompt_writes_busy', { cause: error });
    throw error;
  }
  await setLockTimeout(tx, 0);
}
