import type { TypedEnvelope, unitFinalised } from '@bv/events';
import type { Transaction } from '@bv/postgres';
import { ingestUnits } from '../commands/ingest-units.ts';

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
