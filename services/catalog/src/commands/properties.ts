import { ApiError, type createProperty, defaultMatchRules, type RequestBody } from '@bv/contract';
import { type Pool, type Transaction, transaction } from '@bv/postgres';
import {
  countOwnBrands,
  findBrandByExternalRef,
  findOwnBrandByDomain,
  insertOwnBrand,
  type NewOwnBrand,
} from '../db/brands.ts';
import { listSteps, type Progress, updateProgressBrand } from '../db/operation-progress.ts';
import { lockOrg, type OrgRow } from '../db/orgs.ts';
import { getPromptUsage } from '../db/prompts.ts';
import {
  checkNotArchived,
  type Competitor,
  type CompetitorOutcome,
  type PropertyHosts,
} from '../domain/brands.ts';
import { checkBrandCap, checkCountryCap } from '../domain/caps.ts';
import { toPlan } from '../domain/plan.ts';
import { publishBrand } from '../publish/publish.ts';
import { recordSteps, startAttempt } from './attempts.ts';
import { lockOwnBrand } from './brands.ts';
import { attachCompetitor } from './competitors.ts';

type NewProperty = {
  pool: Pool;
  orgId: string;
  operationId: string | null;
  body: RequestBody<typeof createProperty>;
  hosts: PropertyHosts;
};

/** The result of a property creation, from which the response is built. */
export type PropertyRun = { operationId: string; brandId: string; outcomes: CompetitorOutcome[] };

/**
 * Creates the own brand after all checks, then links each competitor in a separate transaction. The brand and every
 * outcome are recorded under the operation's id, so that a retry continues after the last recorded step.
 * Returns undefined if a response is already recorded.
 */
export async function runPropertyCreation(input: NewProperty): Promise<PropertyRun | undefined> {
  const { pool, orgId } = input;
  const { competitors } = input.hosts;
  const progress = await transaction(pool, (tx) => startProperty(tx, input));
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

/** Runs all checks and creates the brand in one transaction: a refusal stores nothing. */
async function startProperty(
  tx: Transaction,
  { orgId, operationId, body, hosts }: NewProperty,
): Promise<(Progress & { brandId: string }) | undefined> {
  const org = await lockOrg(tx, orgId);
  if (!org) throw new ApiError('not_found');
  const progress = await startAttempt(tx, operationId);
  if (!progress) return undefined;
  if (progress.brandId !== null) return { ...progress, brandId: progress.brandId };
  const newBrand: NewOwnBrand = {
    orgId,
    name: body.name,
    domain: hosts.host,
    externalRef: body.external_ref ?? null,
    geography: body.geography ?? null,
    aliases: body.aliases ?? [],
    match: body.match ?? defaultMatchRules,
  };
  await checkProperty(tx, org, newBrand, body.markets ?? []);
  const brand = await insertOwnBrand(tx, newBrand);
  await publishBrand(tx, brand, []);
  await updateProgressBrand(tx, progress.operationId, brand.id);
  return { ...progress, brandId: brand.id };
}

/** Checks in the order of the specification. The caller holds the organisation's lock. */
async function checkProperty(
  tx: Transaction,
  org: OrgRow,
  newBrand: NewOwnBrand,
  markets: readonly string[],
): Promise<void> {
  const sameDomain = await findOwnBrandByDomain(tx, org.id, newBrand.domain);
  if (sameDomain) throw new ApiError('brand_exists', { details: { existing_id: sameDomain.id } });
  const { externalRef } = newBrand;
  const sameRef = externalRef === null ? undefined : await findBrandByExternalRef(tx, org.id, externalRef);
  if (sameRef) throw new ApiError('external_ref_exists', { details: { existing_id: sameRef.id } });
  const plan = toPlan(org);
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

/** Links one competitor in one transaction. After a rollback a refusal is recorded as the outcome. */
async function linkStep(pool: Pool, step: LinkStep): Promise<CompetitorOutcome> {
  const { orgId, brandId, progress, index, competitor } = step;
  try {
    return await transaction(pool, async (tx) => {
      const parents = await lockOwnBrand(tx, orgId, brandId);
      checkNotArchived(parents.brand);
      const { brand, reused } = await attachCompetitor(tx, parents, competitor);
      const outcome: CompetitorOutcome = { status: 'applied', competitor_id: brand.id, reused };
      await recordSteps(tx, progress, [{ position: index, outcome }]);
      return outcome;
    });
  } catch (error) {
    if (!(error instanceof ApiError) || error.code === 'idempotency_key_in_flight') throw error;
    const { code, message } = error;
    const outcome: CompetitorOutcome = { status: 'failed', error: { code, message } };
    await recordSteps(pool, progress, [{ position: index, outcome }]);
    return outcome;
  }
}
