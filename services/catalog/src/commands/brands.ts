import { ApiError, type RequestBody, type updateBrand } from '@bv/contract';
import type { Transaction } from '@bv/postgres';
import {
  type BrandRow,
  countOwnBrands,
  findBrand,
  findBrandByExternalRef,
  lockBrand,
  updateBrandArchived,
  updateBrandRow,
} from '../db/brands.ts';
import { lockOrg, type OrgRow } from '../db/orgs.ts';
import { countBrandPrompts, getPromptUsage } from '../db/prompts.ts';
import { applyBrandPatch, checkFieldsOfBrand } from '../domain/brand-patch.ts';
import { checkOwnBrand } from '../domain/brands.ts';
import { checkBrandCap, checkCountryCap, checkPromptCap } from '../domain/caps.ts';
import { toPlan } from '../domain/plan.ts';
import { publishBrand } from '../publish/publish.ts';

/** Applies a patch to a brand, archived or not. Writes nothing if nothing changes. */
export async function changeBrand(
  tx: Transaction,
  { orgId, brandId }: { orgId: string; brandId: string },
  patch: RequestBody<typeof updateBrand>,
): Promise<BrandRow> {
  const { brand } = await lockParents(tx, orgId, brandId);
  checkFieldsOfBrand(brand, patch);
  const next = applyBrandPatch(brand, patch);
  if (next === undefined) return brand;
  await checkExternalRefUnused(tx, brand, next.external_ref);
  const changed = await updateBrandRow(tx, brandId, next);
  await publishBrand(tx, changed);
  return changed;
}

/** The caller holds the organisation's lock, so that no other write takes the reference meanwhile. */
async function checkExternalRefUnused(
  tx: Transaction,
  { org_id, external_ref }: BrandRow,
  next: string | null,
): Promise<void> {
  if (next === null || next === external_ref) return;
  const other = await findBrandByExternalRef(tx, org_id, next);
  if (other) throw new ApiError('external_ref_exists', { details: { existing_id: other.id } });
}

/**
 * The brand after the call. Its event is published even if nothing changed: a retry of a stored change must also wait
 * until all consumers have applied it.
 */
export type ArchiveResult = { brand: BrandRow; eventIds: string[] };

export async function archiveBrand(tx: Transaction, brandId: string): Promise<ArchiveResult> {
  const { brand } = await lockById(tx, brandId);
  return publishAndReturn(
    tx,
    brand.sunset_at === null ? await updateBrandArchived(tx, brandId, true) : brand,
  );
}

/** Throws if the brand and its active prompts would exceed the plan. */
export async function restoreBrand(tx: Transaction, brandId: string): Promise<ArchiveResult> {
  const { org, brand } = await lockById(tx, brandId);
  if (brand.sunset_at === null) return publishAndReturn(tx, brand);
  await checkCaps(tx, org, brandId);
  return publishAndReturn(tx, await updateBrandArchived(tx, brandId, false));
}

async function checkCaps(tx: Transaction, org: OrgRow, brandId: string): Promise<void> {
  const plan = toPlan(org);
  checkBrandCap(plan, (await countOwnBrands(tx, org.id)) + 1);
  const added = await countBrandPrompts(tx, brandId);
  if (added.prompts === 0) return;
  const used = await getPromptUsage(tx, org.id);
  checkPromptCap(plan, used.prompts + added.prompts);
  checkCountryCap(plan, used.countries.keys(), [...added.countries.keys()]);
}

async function lockById(tx: Transaction, brandId: string): Promise<LockedParents> {
  const brand = await findBrand(tx, brandId);
  if (!brand) throw new ApiError('not_found');
  return lockOwnBrand(tx, brand.org_id, brandId);
}

async function publishAndReturn(tx: Transaction, brand: BrandRow): Promise<ArchiveResult> {
  return { brand, eventIds: [await publishBrand(tx, brand)] };
}

/** An organisation and one of its brands, locked until the transaction ends. */
export type LockedParents = { org: OrgRow; brand: BrandRow };

export async function lockOwnBrand(tx: Transaction, orgId: string, brandId: string): Promise<LockedParents> {
  const parents = await lockParents(tx, orgId, brandId);
  checkOwnBrand(parents.brand);
  return parents;
}

/** Locks the organisation, then the brand: the order of every write. */
export async function lockParents(tx: Transaction, orgId: string, brandId: string): Promise<LockedParents> {
  const org = await lockOrg(tx, orgId);
  const brand = org && (await lockBrand(tx, orgId, brandId));
  if (!org || !brand) throw new ApiError('not_found');
  return { org, brand };
}
