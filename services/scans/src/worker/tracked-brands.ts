import { LRUCache } from 'lru-cache';
import { callRpc, findBrandRpc, type Nats, unlessPurged } from '@bv/events';
import type { TrackedBrand } from '@bv/extraction';
import { isUnavailable, type Pool } from '@bv/postgres';
import { createBatcher } from '@bv/resilience';
import type { Logger } from '@bv/telemetry';
import { storeBrand } from '../commands/brands.ts';
import { type BrandVersion, listBrandIdentities, listTrackedVersions } from '../db/brands.ts';
import { toTrackedBrand } from '../domain/tracked-brand.ts';

export type TrackedBrands = {
  /**
   * An own brand, then its linked competitors, as the projection has them now. `findStored` returns what replaces brands
   * that neither the projection nor catalog has. A brand that is older than its version in `known` is requested from
   * catalog. Throws if the database is unavailable.
   */
  list(
    brandId: string,
    findStored: () => Promise<TrackedBrand[]>,
    known?: ReadonlyMap<string, number>,
  ): Promise<readonly TrackedBrand[]>;
};

type Deps = { pool: Pool; nats: Nats; log: Logger };

/** A list of brands, and the versions it was made of. */
type CachedList = { key: string; brands: readonly TrackedBrand[] };

const maxCacheBytes = 64_000_000;

export function createTrackedBrands(deps: Deps): TrackedBrands {
  const { pool } = deps;
  const cache = new LRUCache<string, CachedList>({ maxSize: maxCacheBytes, sizeCalculation: sizeOf });
  const readVersions = createVersionReader(pool);
  const requestBrands = createRequester(deps);
  return {
    list: async (brandId, findStored, known = new Map()) => {
      const versions = await listVersions({ brandId, known }, readVersions, requestBrands);
      const cached = cache.get(brandId);
      if (cached?.key === toKey(versions)) return cached.brands;
      const ids = versions.map(({ id }) => id);
      const identities = new Map((await listBrandIdentities(pool, ids)).map((row) => [row.id, row]));
      // Without the own brand, its competitors are unknown too.
      if (!identities.has(brandId)) return findStored();
      const found = ids.flatMap((id) => identities.get(id) ?? []);
      const brands = found.map(toTrackedBrand);
      if (found.length === ids.length) {
        cache.set(brandId, { key: toKey(found), brands });
        return brands;
      }
      const stored = (await findStored()).filter(({ id }) => ids.includes(id) && !identities.has(id));
      return [...brands, ...stored];
    },
  };
}

/** The versions of the brands, after those that are not stored, or older, were requested. */
async function listVersions(
  { brandId, known }: { brandId: string; known: ReadonlyMap<string, number> },
  readVersions: VersionReader,
  requestBrands: Requester,
): Promise<readonly BrandVersion[]> {
  let versions = await readVersions(brandId);
  // Twice: the reply for the own brand may name competitors that are not stored.
  for (let round = 0; round < 2; round += 1) {
    const unknown = versions
      .filter(({ id, version }) => version === null || version < (known.get(id) ?? 0))
      .map(({ id }) => id);
    if (versions.length === 0) unknown.push(brandId);
    if (unknown.length === 0 || !(await requestBrands(unknown))) break;
    versions = await readVersions(brandId);
  }
  return versions;
}

/** The own brand, then its linked competitors in order. Empty if the own brand is not stored. */
type VersionReader = (brandId: string) => Promise<readonly BrandVersion[]>;

/** Answers that arrive close together share one statement. None uses versions that were read before it arrived. */
const createVersionReader = (pool: Pool): VersionReader =>
  createBatcher<string, readonly BrandVersion[]>({
    maxBatchSize: 100,
    maxInFlight: 4,
    lingerMs: 2,
    maxDelayMs: 50,
    send: async (brandIds) => {
      const versions = await listTrackedVersions(pool, [...new Set(brandIds)]);
      return brandIds.map((id) => versions.get(id) ?? []);
    },
  });

const toKey = (versions: readonly BrandVersion[]): string =>
  versions.map(({ id, version }) => `${id}:${version}`).join();

/** About the bytes of a list in memory. */
function sizeOf({ key, brands }: CachedList): number {
  const texts = brands.flatMap(({ name, aliases, match }) => [name, ...aliases, ...(match?.exclude ?? [])]);
  return 2 * key.length + texts.reduce((bytes, text) => bytes + 50 + 2 * text.length, 500 * brands.length);
}

/** Requests brands from catalog and stores the replies. Returns false if it requests none, as a short time ago it failed. */
type Requester = (ids: readonly string[]) => Promise<boolean>;

const concurrency = 4;
/** No further request starts after this time: a worker waits, and its answer is stored without the rest. */
const maxRequestingMs = 3_000;
/** Units do not wait for catalog for this long after it failed. */
const retryMs = 5_000;
/** A brand that catalog does not have is not requested for this long. */
const missingMs = 30_000;
const maxMissing = 10_000;

function createRequester({ pool, nats, log }: Deps): Requester {
  const inFlight = new Map<string, Promise<void>>();
  const missing = new LRUCache<string, true>({ max: maxMissing, ttl: missingMs });
  let retryAt = 0;
  const requestAndStore = async (id: string): Promise<void> => {
    const reply = await callRpc(nats, findBrandRpc, { id });
    if (reply === null) missing.set(id, true);
    else await unlessPurged(pool, reply.data.org_id, (tx) => storeBrand(tx, reply.data, reply.version));
  };
  /** Units of one scan need the same brands at the same time. */
  const requestOnce = (id: string): Promise<void> => {
    const request = inFlight.get(id) ?? requestAndStore(id).finally(() => inFlight.delete(id));
    inFlight.set(id, request);
    return request;
  };
  return async (ids) => {
    const now = performance.now();
    const waiting = ids.filter((id) => !missing.has(id));
    if (now < retryAt || waiting.length === 0) return false;
    const endsAt = now + maxRequestingMs;
    const requestNext = async (): Promise<void> => {
      for (let id = waiting.shift(); id !== undefined; id = waiting.shift()) {
        await requestOnce(id);
        if (performance.now() >= endsAt) return;
      }
    };
    try {
      await Promise.all(Array.from({ length: concurrency }, requestNext));
    } catch (error) {
      waiting.length = 0;
      if (isUnavailable(error)) throw error;
      retryAt = performance.now() + retryMs;
      log.warn({ err: error, brands: ids.length }, 'catalog is unavailable; tracked brands not requested');
    }
    return true;
  };
}
