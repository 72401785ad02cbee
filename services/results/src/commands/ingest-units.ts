import type { Transaction } from '@bv/postgres';
import { extractTraceContext, withSpan } from '@bv/telemetry';
import { insertSources } from '../db/sources.ts';
import { toSourcedUnit, toUnitBrands, toUnitInput } from '../db/unit-rows.ts';
import { type FinalisedUnit, insertUnitBrands, insertUnitMarkets, insertUnits } from '../db/units.ts';
import { changeBrandToken, type TokenEvents } from '../publish/publish.ts';
import type { KeptDays } from '../domain/retention.ts';
import { dropExpired } from './drop-expired.ts';
import { scoreScanIfComplete } from './score-scan.ts';

const toKey = ({ unit_id, brand_id }: Pick<FinalisedUnit, 'unit_id' | 'brand_id'>): string =>
  `${unit_id}/${brand_id}`;

type Ingested = {
  newUnits: FinalisedUnit[];
  /** Units of days that are not kept, which are dropped. */
  expired: FinalisedUnit[];
  tokenEvents: TokenEvents;
};

/**
 * Stores finalised units; a unit that is already stored changes nothing. In the same transaction it moves the change
 * token of every brand with a new unit and scores the scans that are complete now. `traces` maps the id of a scan to the
 * trace that its scoring belongs to.
 */
export async function ingestUnits(
  tx: Transaction,
  units: FinalisedUnit[],
  traces: ReadonlyMap<string, string> = new Map(),
): Promise<Ingested> {
  // Every writer uses the same order, so two batches that share units or brands wait for each other without deadlock.
  // Of units of a brand with the same id the first one counts, as it does across two batches.
  const distinct = [...new Map(units.toReversed().map((unit) => [toKey(unit), unit])).entries()];
  distinct.sort(([a], [b]) => (a < b ? -1 : 1));
  const inserted = await insertUnits(
    tx,
    distinct.map(([, unit]) => toUnitInput(unit)),
  );
  const insertedKeys = new Set(inserted.map(({ brand_id, id: unit_id }) => toKey({ brand_id, unit_id })));
  const newUnits = distinct.flatMap(([key, unit]) => (insertedKeys.has(key) ? [unit] : []));
  const tokenEvents: TokenEvents = new Map();
  if (newUnits.length === 0) return { newUnits, expired: [], tokenEvents };
  await insertUnitBrands(tx, newUnits.flatMap(toUnitBrands));
  const keptDays = new Map<string, KeptDays>();
  const brands = new Map(newUnits.map((unit) => [unit.brand_id, unit.org_id]));
  for (const [brandId, orgId] of [...brands].sort(([a], [b]) => (a < b ? -1 : 1))) {
    const token = await changeBrandToken(tx, { id: brandId, orgId });
    tokenEvents.set(brandId, token);
    keptDays.set(brandId, token.kept);
  }
  const keptUnits = await dropExpired(tx, newUnits, keptDays);
  await insertUnitMarkets(tx, keptUnits);
  await insertSources(tx, keptUnits.map(toSourcedUnit));
  for (const jobId of new Set(keptUnits.map((unit) => unit.job_id))) {
    if (jobId === null) continue;
    await extractTraceContext({ traceparent: traces.get(jobId) }, () =>
      withSpan('score scan', {}, () => scoreScanIfComplete(tx, jobId)),
    );
  }
  const kept = new Set(keptUnits);
  return { newUnits: keptUnits, expired: newUnits.filter((unit) => !kept.has(unit)), tokenEvents };
}
