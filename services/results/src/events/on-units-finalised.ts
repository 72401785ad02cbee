import type { EnvelopeOf, unitFinalised } from '@bv/events';
import type { Transaction } from '@bv/postgres';
import { ingestUnits } from '../commands/ingest-units.ts';

export async function onUnitsFinalised(
  tx: Transaction,
  envelopes: EnvelopeOf<typeof unitFinalised>[],
): Promise<void> {
  await ingestUnits(
    tx,
    envelopes.map((envelope) => envelope.data),
  );
}
