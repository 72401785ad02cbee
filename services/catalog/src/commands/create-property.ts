import { ApiError, type BodyOf, type createProperty as createPropertyOperation } from '@bv/contract';
import { type Pool, type Transaction, transaction } from '@bv/postgres';
import {
  countOwnBrands,
  findBrandByExternalRef,
  findOwnBrandByDomain,
  insertOwnBrand,
  type NewOwnBrand,
} from '../db/brands.ts';
import { insertSteps, listSteps, type Progress, updateProgressBrand } from '../db/operation-progress.ts';
import { lockOrg, type OrgRow } from '../db/orgs.ts';
import { getPromptUsage } from '../db/prompt-counts.ts';
import { checkBrandCap, checkCountryCap } from '../domain/caps.ts';
import { planOf } from '../domain/plan.ts';
import type { Competitor, PropertyHosts } from '../domain/property-input.ts';
import type { CompetitorOutcome } from '../domain/property-outcome.ts';
import { publishBrand } from '../events/publish.ts';
import { beginProgress } from './begin-progress.ts';
import { attachCompetitor, lockOwnBrand } from './link-competitor.ts';
import { refuseArchived } from './refusals.ts';

type CreateProperty = {
  pool: Pool;
  orgId: string;
  operationId: string | null;
  body: BodyOf<typeof createPropertyOperation>;
  hosts: PropertyHosts;
};

/** What a property creation has come to; the answer is made from it. */
export type PropertyRun = { operationId: string; brandId: string; outcomes: CompetitorOutcome[] };

/**
 * Creates the own brand after all checks, then links its competitors, each in a transaction of its own. The brand
 * and every outcome are recorded under the operation's id, so a retry takes up what an earlier try left open.
 * Undefined where the answer is recorded already.
 */
export async function runPropertyCreation(input: CreateProperty): Promise<PropertyRun | undefined> {
  const { pool, orgId } = input;
  const { competitors } = input.hosts;
  const progress = await transaction(pool, (tx) => beginProperty(tx, input));
  if (!progress) return undefined;
  const brandId = progress.brandId;
  const steps = await listSteps<CompetitorOutcome>(pool, progress.operationId);
  const outcomes = new Map(steps.map(({ position, outcome }) => [position, outcome]));
  for (const [index, competitor] of competitors.entries()) {
    let outcome = outcomes.get(index);
    outcome ??= await linkStep(pool, { orgId, brandId, progress, index, competitor });
    outcomes.set(index, outcome);
    if (outcome.status === 'failed' && outcome.error.code === 'competitor_cap_exceeded') break;
  }
  return {
    operationId: progress.operationId,
    brandId,
    outcomes: competitors.map((_, index) => outcomes.get(index) ?? { status: 'not_attempted' }),
  };
}

/** All checks and the brand in one transaction: a refusal leaves nothing behind. */
async function beginProperty(
  tx: Transaction,
  { orgId, operationId, body, hosts }: CreateProperty,
): Promise<(Progress & { brandId: string }) | undefined> {
  const org = await lockOrg(tx, orgId);
  if (!org) throw new ApiError('not_found');
  const progress = await beginProgress(tx, operationId);
  if (!progress) return undefined;
  if (progress.brandId !== null) return { ...progress, brandId: progress.brandId };
  const wanted: NewOwnBrand = {
    orgId,
    name: body.name,
    domain: hosts.host,
    externalRef: body.external_ref ?? null,
    geography: body.geography ?? null,
    aliases: [...new Set(body.aliases)],
  };
  await checkProperty(tx, org, wanted, body.markets ?? []);
  const brand = await insertOwnBrand(tx, wanted);
  await publishBrand(tx, brand, []);
  await updateProgressBrand(tx, progress.operationId, brand.id);
  return { ...progress, brandId: brand.id };
}

/** In the order of the specification, under the organisation's lock. */
async function checkProperty(
  tx: Transaction,
  org: OrgRow,
  wanted: NewOwnBrand,
  markets: readonly string[],
): Promise<void> {
  const sameDomain = await findOwnBrandByDomain(tx, org.id, wanted.domain);
  if (sameDomain) throw new ApiError('brand_exists', { details: { existing_id: sameDomain.id } });
  const { externalRef } = wanted;
  const sameRef = externalRef === null ? undefined : await findBrandByExternalRef(tx, org.id, externalRef);
  if (sameRef) throw new ApiError('external_ref_exists', { details: { existing_id: sameRef.id } });
  const plan = planOf(org);
  if (markets.length > 0) {
    const { countries } = await getPromptUsage(tx, org.id);
    checkCountryCap(plan, countries.keys(), markets);
  }
  checkBrandCap(plan, (await countOwnBrands(tx, org.id)) + 1);
}

type LinkStep = {
  orgId: string;
  brandId: string;
  progress: Progress;
  index: number;
  competitor: Competitor;
};

/** One competitor, whole or not at all; what is refused is recorded after it was undone. */
async function linkStep(pool: Pool, step: LinkStep): Promise<CompetitorOutcome> {
  const { orgId, brandId, progress, index, competitor } = step;
  try {
    return await transaction(pool, async (tx) => {
      const place = await lockOwnBrand(tx, orgId, brandId);
      refuseArchived(place.brand);
      const { brand, reused } = await attachCompetitor(tx, place, competitor);
      const outcome: CompetitorOutcome = { status: 'applied', competitor_id: brand.id, reused };
      await recordStep(tx, progress, index, outcome);
      return outcome;
    });
  } catch (error) {
    if (!(error instanceof ApiError) || error.code === 'idempotency_key_in_flight') throw error;
    const { code, message } = error;
    const outcome: CompetitorOutcome = { status: 'failed', error: { code, message } };
    await recordStep(pool, progress, index, outcome);
    return outcome;
  }
}

/** Refuses to go on when a newer try of the same operation has taken over. */
async function recordStep(
  db: Parameters<typeof insertSteps>[0],
  progress: Progress,
  position: number,
  outcome: CompetitorOutcome,
): Promise<void> {
  const recorded = await insertSteps(db, progress, [{ position, outcome }]);
  if (!recorded) throw new ApiError('idempotency_key_in_flight');
}
