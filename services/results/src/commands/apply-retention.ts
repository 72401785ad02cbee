import { callRpc, findOrgRpc, RpcUnavailable } from '@bv/events';
import { failpoint } from '@bv/lifecycle';
import { transaction } from '@bv/postgres';
import type { Logger } from '@bv/telemetry';
import type { Context } from '../context.ts';
import { lockBrandToken } from '../db/brands.ts';
import { upsertOrg } from '../db/orgs.ts';
import { findUnitDay, listRetainedBrands, type RetainedBrand, updateKeptDays } from '../db/retention.ts';
import type { KeptDays, Retention } from '../domain/retention.ts';
import { changeBrandToken } from '../publish/publish.ts';
import type { RetentionMetrics } from '../telemetry.ts';
import { removeExpired } from './remove-expired.ts';

const maxBrandsPerPage = 500;

export type RetentionDeps = Pick<Context, 'pool' | 'nats'> & {
  /** That of organisations without their own. */
  retention: Retention;
  today: string;
  metrics: RetentionMetrics;
  log: Logger;
};

/**
 * Ends the retention of days, brand by brand. First one transaction hides the days: it moves the first day that is kept
 * and the change token. Then batches remove the rows. Any number of processes may do so at once. A brand that fails is
 * logged and skipped.
 */
export async function applyRetention(deps: RetentionDeps, stopping: AbortSignal): Promise<void> {
  const { pool, retention, today, metrics, log } = deps;
  const requestOrg = createOrgRequests(deps);
  let after: string | null = null;
  do {
    const page = { retention, today, after, limit: maxBrandsPerPage };
    const brands: RetainedBrand[] = await listRetainedBrands(pool, page);
    for (const brand of brands) {
      if (stopping.aborted) return;
      try {
        const isConfirmed = brand.is_due && (await requestOrg(brand.org_id));
        const kept = isConfirmed ? await hideExpired(deps, brand) : brand;
        await removeExpired({ pool, metrics, stopping }, { ...brand, ...kept });
      } catch (error) {
        log.warn({ err: error, brandId: brand.brand_id }, 'the retention of a brand could not be applied');
      }
    }
    after = brands.at(-1)?.brand_id ?? null;
  } while (after !== null);
}

/**
 * Returns a function that stores the catalog's current state of an organisation, once for each. It says whether the
 * retention is known: what is removed cannot be restored, so a projection that may be late does not decide.
 */
function createOrgRequests({ pool, nats, log }: RetentionDeps): (orgId: string) => Promise<boolean> {
  const known = new Map<string, boolean>();
  const request = async (id: string): Promise<boolean> => {
    try {
      const reply = await callRpc(nats, findOrgRpc, { id });
      if (reply === null) return false;
      await upsertOrg(pool, reply.data, reply.version);
      return true;
    } catch (error) {
      if (!(error instanceof RpcUnavailable)) throw error;
      log.warn(
        { err: error, orgId: id },
        'the retention of an organisation is not confirmed; retrying later',
      );
      return false;
    }
  };
  return async (id) => {
    const isKnown = known.get(id) ?? (await request(id));
    known.set(id, isKnown);
    return isKnown;
  };
}

/** Moves the first days that are kept. The change token moves if this hides a unit or a text. */
async function hideExpired(
  { pool, retention, today, log }: RetentionDeps,
  { brand_id: brandId, org_id: orgId }: RetainedBrand,
): Promise<KeptDays> {
  const kept = await transaction(pool, async (tx) => {
    const before = await lockBrandToken(tx, brandId);
    const after = await updateKeptDays(tx, { id: brandId, orgId }, { today, retention });
    if (before === undefined || after === undefined) return { units_from: null, texts_from: null };
    const hidden =
      (await findUnitDay(tx, brandId, { from: before.units_from, before: after.units_from })) ??
      (await findUnitDay(tx, brandId, { from: before.texts_from, before: after.texts_from }));
    if (hidden !== undefined) {
      await changeBrandToken(tx, { id: brandId, orgId });
      log.info({ brandId, unitsFrom: after.units_from, textsFrom: after.texts_from }, 'retention ended');
    }
    return after;
  });
  failpoint('retention.days_hidden');
  return kept;
}
