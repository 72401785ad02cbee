import type { EnvelopeOf, unitFinalised } from '@bv/events';
import type { Transaction } from '@bv/postgres';
import { ingestUnits } from '../commands/ingest-units.ts';

export async function onUnitsFinalised(
  tx: Transaction,
  envelopes: EnvelopeOf<typeof unitFinalised>[],
): Promise<void> {
  const units = envelopes.map((envelope) => envelope.data);
  await ingestUnits(tx, units, tracesOf(envelopes));
}

/** By scan: the events of one scan come from one trace. */
function tracesOf(envelopes: readonly EnvelopeOf<typeof unitFinalised>[]): Map<string, string> {
  const traces = new Map<string, string>();
  for (const { data, traceparent } of envelopes) {
    if (data.job_id !== null && traceparent !== undefined) traces.set(data.job_id, traceparent);
  }
  return traces;
}
