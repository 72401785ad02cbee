import { type Nats, resultsBrandChanged, startConsumer, type TypedEnvelope } from '@bv/events';
import type { Transaction } from '@bv/postgres';
import type { OpenService } from '@bv/service';
import { upsertBrandChange } from '../db/projections.ts';

/** Stores the change token that the brand detail returns. */
async function onResultsBrandChanged(
  tx: Transaction,
  { data, version }: TypedEnvelope<typeof resultsBrandChanged>,
): Promise<void> {
  await upsertBrandChange(tx, data, version);
}

/** Starts the consumer. The lifecycle stops it. */
export async function startConsuming(service: OpenService & { nats: Nats }): Promise<void> {
  const consumer = await startConsumer({
    ...service,
    source: 'results',
    handlers: { [resultsBrandChanged.type]: onResultsBrandChanged },
  });
  service.lifecycle.onStop(consumer.name, () => consumer.stop());
}
