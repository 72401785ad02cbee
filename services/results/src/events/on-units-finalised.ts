import type { EnvelopeOf, Nats, unitFinalised } from '@bv/events';
import type { Transaction } from '@bv/postgres';
import { ingestUnits } from '../commands/ingest-units.ts';
import { healBrands } from './heal-brands.ts';

export const onUnitsFinalised =
  (nats: Nats) =>
  async (tx: Transaction, envelopes: EnvelopeOf<typeof unitFinalised>[]): Promise<void> => {
    const units = envelopes.map((envelope) => envelope.data);
    await healBrands(
      tx,
      nats,
      units.map((unit) => unit.brand_id),
    );
    await ingestUnits(tx, units);
  };
