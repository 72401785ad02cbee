import {
  type jobChanged,
  type Nats,
  RpcUnavailable,
  type SourceEvent,
  type TypedEnvelope,
  type unitFinalised,
} from '@bv/events';
import type { Pool, Transaction } from '@bv/postgres';
import { ingestUnits } from '../commands/ingest-units.ts';
import { requestBrand } from '../commands/request-brands.ts';
import { scoreScanIfComplete } from '../commands/score-scan.ts';
import { listBrandsByIds } from '../db/brands.ts';
import { updateExperimentsOutdated } from '../db/experiments.ts';
import { upsertScan } from '../db/scans.ts';
import { changeBrandToken } from '../publish/publish.ts';

const finalStatuses = new Set(['completed', 'partial', 'failed', 'cancelled']);

/**
 * Fetches the brands of scan events that the catalog's own events have not delivered yet, so that a scan of a new brand
 * is scored at once. If the catalog does not reply, the events are handled without these brands. Runs before the
 * transaction of the events, so no connection and no lock is held during the call.
 */
export const backfillBrands =
  (pool: Pool, nats: Nats) =>
  async (envelopes: readonly TypedEnvelope<SourceEvent<'scans'>>[]): Promise<void> => {
    const ids = [...new Set(envelopes.flatMap(({ data }) => ('brand_id' in data ? [data.brand_id] : [])))];
    if (ids.length === 0) return;
    const projected = new Set((await listBrandsByIds(pool, ids)).map((brand) => brand.id));
    const missing = ids.filter((id) => !projected.has(id));
    const outcomes = await Promise.allSettled(missing.map((id) => requestBrand({ pool, nats }, id)));
    for (const outcome of outcomes) {
      if (outcome.status === 'rejected' && !(outcome.reason instanceof RpcUnavailable)) throw outcome.reason;
    }
  };

export async function onUnitsFinalised(
  tx: Transaction,
  envelopes: TypedEnvelope<typeof unitFinalised>[],
): Promise<void> {
  const units = envelopes.map((envelope) => envelope.data);
  await ingestUnits(tx, units, tracesByScan(envelopes));
}

/** Trace contexts by scan id: the events of one scan belong to one trace. */
function tracesByScan(envelopes: readonly TypedEnvelope<typeof unitFinalised>[]): Map<string, string> {
  const traces = new Map<string, string>();
  for (const { data, traceparent } of envelopes) {
    if (data.job_id !== null && traceparent !== undefined) traces.set(data.job_id, traceparent);
  }
  return traces;
}

export async function onJobChanged(
  tx: Transaction,
  envelope: TypedEnvelope<typeof jobChanged>,
): Promise<void> {
  const { units, idempotency_key: _, ...job } = envelope.data;
  if (finalStatuses.has(job.status)) {
    // Lock the token before the scan's row, as every writer does. Another order could deadlock.
    await changeBrandToken(tx, { id: job.brand_id, orgId: job.org_id });
  }
  const changed = await upsertScan(tx, {
    ...job,
    units_total: units.total,
    units_answered: units.answered,
    units_no_answer: units.no_answer,
    units_failed: units.failed,
    version: envelope.version,
  });
  if (changed === 0) return;
  // No day is scored for it, but its failures count.
  if (job.status === 'failed') await updateExperimentsOutdated(tx, job.brand_id, job.run_date);
  await scoreScanIfComplete(tx, job.job_id);
}
