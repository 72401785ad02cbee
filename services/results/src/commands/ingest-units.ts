import type { Transaction } from '@bv/postgres';
import { sourceDomain } from '@bv/source-url';
import { extractTraceContext, withSpan } from '@bv/telemetry';
import { moveBrandToken } from '../db/brand-tokens.ts';
import {
  type FinalisedUnit,
  insertUnitBrands,
  insertUnits,
  insertUnitSources,
  type UnitInput,
} from '../db/units.ts';
import { addSourceSums } from '../db/source-sums.ts';
import { insertUnitMarkets } from '../db/unit-markets.ts';
import { publishBrandChanged } from '../events/publish.ts';
import { scoreScanWhenWhole } from './score-scan.ts';

function unitInput({ unit_id, brands, sources: _, ...unit }: FinalisedUnit): UnitInput {
  const own = brands.find((brand) => brand.brand_id === unit.brand_id);
  const mentioned = own?.mentioned ?? false;
  return {
    ...unit,
    id: unit_id,
    mentioned,
    position: mentioned ? (own?.position ?? null) : null,
    sentiment: mentioned ? (own?.sentiment ?? null) : null,
    cited: own?.cited ?? false,
  };
}

/** The version of a brand's change token, and the event that tells it. */
export type TokenEvent = { version: number; eventId: string };
export type TokenEvents = Map<string, TokenEvent>;

type Ingested = { fresh: FinalisedUnit[]; tokenEvents: TokenEvents };

/**
 * Stores finalised units; one that is there already changes nothing. Moves the change token of every brand that got
 * a new one, in the same transaction, and scores the scans that are whole now, each in its own trace where that is
 * given by the scan's id. Returns the new ones, and the event that tells of each brand's token.
 */
export async function ingestUnits(
  tx: Transaction,
  units: FinalisedUnit[],
  traces: ReadonlyMap<string, string> = new Map(),
): Promise<Ingested> {
  // One order for every writer: two batches that share units or brands wait for each other instead of deadlocking.
  // Of units with one id the first counts, as it does over two batches.
  const distinct = [...new Map(units.toReversed().map((unit) => [unit.unit_id, unit])).values()];
  distinct.sort((a, b) => (a.unit_id < b.unit_id ? -1 : 1));
  const inserted = await insertUnits(tx, distinct.map(unitInput));
  const fresh = distinct.filter((unit) => inserted.has(unit.unit_id));
  const tokenEvents: TokenEvents = new Map();
  if (fresh.length === 0) return { fresh, tokenEvents };
  await insertUnitBrands(
    tx,
    fresh.flatMap(({ unit_id, brands }) => brands.map((brand, ordinal) => ({ ...brand, unit_id, ordinal }))),
  );
  await insertUnitSources(
    tx,
    fresh.flatMap(({ unit_id, sources }) =>
      sources.map((source) => ({ ...source, unit_id, domain: sourceDomain(source.url) })),
    ),
  );
  const brands = new Map(fresh.map((unit) => [unit.brand_id, unit.org_id]));
  for (const [brandId, orgId] of [...brands].sort(([a], [b]) => (a < b ? -1 : 1))) {
    const token = await moveBrandToken(tx, { id: brandId, orgId });
    const eventId = await publishBrandChanged(tx, { brandId, orgId, token });
    tokenEvents.set(brandId, { version: token.version, eventId });
  }
  await insertUnitMarkets(tx, fresh);
  await addSourceSums(
    tx,
    fresh.map((unit) => unit.unit_id),
  );
  for (const jobId of new Set(fresh.map((unit) => unit.job_id))) {
    if (jobId === null) continue;
    await extractTraceContext({ traceparent: traces.get(jobId) }, () =>
      withSpan('score scan', {}, () => scoreScanWhenWhole(tx, jobId)),
    );
  }
  return { fresh, tokenEvents };
}
