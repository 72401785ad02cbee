import { createHash } from 'node:crypto';
import { RpcUnavailable } from '@bv/events';
import type { TrackedBrand } from '@bv/extraction';
import type { Queryable } from '@bv/postgres';
import type { Logger } from '@bv/telemetry';
import type { Context } from '../context.ts';
import { findTrackedBrands, toTrackedBrand, type TrackedBrandRow } from '../db/tracked-brands.ts';
import { requestBrand, requestTrackedBrands } from '../commands/request-brands.ts';

/** The brands that answers are searched for: the own one first. */
export type Identity = { tracked: TrackedBrand[]; hash: string; versions: BrandVersions };

export type BrandVersions = ReadonlyMap<string, number>;

/** The projected identity of a brand. */
export async function findIdentity(db: Queryable, brandId: string): Promise<Identity> {
  return toIdentity((await findTrackedBrands(db, brandId)).brands);
}

/**
 * The catalog's identity of a brand: an event of a change may not have arrived. If the catalog does not reply, the
 * projected one, or `RpcUnavailable` if that is not complete. Throws if neither has the own brand.
 */
export async function requestIdentity(
  deps: Pick<Context, 'pool' | 'nats'> & { log: Logger },
  brandId: string,
): Promise<Identity> {
  try {
    await requestBrand(deps, brandId);
    const { brands, missing } = await findTrackedBrands(deps.pool, brandId);
    for (const id of [...brands.map((brand) => brand.id), ...missing]) {
      if (id !== brandId) await requestBrand(deps, id);
    }
  } catch (error) {
    if (!(error instanceof RpcUnavailable)) throw error;
    deps.log.warn({ err: error }, 'the catalog does not reply; the projected brands are used');
  }
  const identity = toIdentity(await requestTrackedBrands(deps, brandId));
  if (identity.tracked[0]?.isOwn !== true) throw new Error(`brand ${brandId} has no identity`);
  return identity;
}

function toIdentity(brands: readonly TrackedBrandRow[]): Identity {
  const tracked = brands.map(toTrackedBrand);
  return {
    tracked,
    hash: createHash('sha256').update(JSON.stringify(tracked)).digest('base64'),
    versions: new Map(brands.map(({ id, version }) => [id, version])),
  };
}
