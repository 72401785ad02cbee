import { ApiError } from '@bv/contract';
import type { Transaction } from '@bv/postgres';
import { type BrandRow, countOwnBrands, findBrand, updateBrandArchived } from '../db/brands.ts';
import type { OrgRow } from '../db/orgs.ts';
import { countPromptsOfBrand, getPromptUsage } from '../db/prompt-counts.ts';
import { checkBrandCap, checkCountryCap, checkPromptCap } from '../domain/caps.ts';
import { planOf } from '../domain/plan.ts';
import { publishBrand } from '../events/publish.ts';
import { lockOwnBrand } from './link-competitor.ts';

/**
 * The brand as it stands after the call. What stood so before is told again, for a retry of a change that was stored
 * must wait until everybody has applied it, too.
 */
export type Archived = { brand: BrandRow; eventIds: string[] };

export async function archiveBrand(tx: Transaction, brandId: string): Promise<Archived> {
  const { brand } = await lockById(tx, brandId);
  return published(tx, brand.sunset_at === null ? await updateBrandArchived(tx, brandId, true) : brand);
}

/** Refused where what the brand brings back would exceed the plan. */
export async function restoreBrand(tx: Transaction, brandId: string): Promise<Archived> {
  const { org, brand } = await lockById(tx, brandId);
  if (brand.sunset_at === null) return published(tx, brand);
  await checkCaps(tx, org, brandId);
  return published(tx, await updateBrandArchived(tx, brandId, false));
}

async function checkCaps(tx: Transaction, org: OrgRow, brandId: string): Promise<void> {
  const plan = planOf(org);
  checkBrandCap(plan, (await countOwnBrands(tx, org.id)) + 1);
  const added = await countPromptsOfBrand(tx, brandId);
  if (added.prompts === 0) return;
  const used = await getPromptUsage(tx, org.id);
  checkPromptCap(plan, used.prompts + added.prompts);
  checkCountryCap(plan, used.countries.keys(), [...added.countries.keys()]);
}

async function lockById(tx: Transaction, brandId: string): Promise<{ org: OrgRow; brand: BrandRow }> {
  const brand = await findBrand(tx, brandId);
  if (!brand) throw new ApiError('not_found');
  return lockOwnBrand(tx, brand.org_id, brandId);
}

async function published(tx: Transaction, brand: BrandRow): Promise<Archived> {
  return { brand, eventIds: [await publishBrand(tx, brand)] };
}
