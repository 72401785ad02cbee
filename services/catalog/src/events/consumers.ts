import {
  allowanceChanged,
  type Nats,
  resultsBrandChanged,
  startConsumer,
  type TypedEnvelope,
} from '@bv/events';
import type { Transaction } from '@bv/postgres';
import type { OpenService } from '@bv/service';
import { upsertBrandChange, upsertScanAllowance } from '../db/projections.ts';

/** Stores the manual scan allowance that `usage` returns. */
async function onAllowanceChanged(
  tx: Transaction,
  { data, version }: TypedEnvelope<typeof allowanceChanged>,
): Promise<void> {
  await upsertScanAllowance(tx, data, version);
}

/** Stores the change token that the brand detail returns. */
async function onResultsBrandChanged(
  tx: Transaction,
  { data, version }: TypedEnvelope<typeof resultsBrandChanged>,
): Promise<void> {
  await upsertBrandChange(tx, data, version);
}

/** Starts one consumer per source. The lifecycle stops them. */
export async function startConsumers(service: OpenService & { nats: Nats }): Promise<void> {
  const consumers = await Promise.all([
    startConsumer({
      ...service,
      source: 'scans',
      handlers: { [allowanceChanged.type]: onAllowanceChanged },
    }),
    startConsumer({
      ...service,
      source: 'results',
      handlers: { [resultsBrandChanged.type]: onResultsBrandChanged },
    }),
  ]);
  for (const consumer of consumers) service.lifecycle.onStop(consumer.name, () => consumer.stop());
}
