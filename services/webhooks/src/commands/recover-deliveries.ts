import { ApiError } from '@bv/contract';
import { zeroUuid } from '@bv/pagination';
import { type Pool, transaction } from '@bv/postgres';
import { type DeliveryPlace, replayDeadDeliveries, wakeEndpoints } from '../db/deliveries.ts';
import { lockEndpoint } from '../db/endpoints.ts';

/** Deliveries of one transaction. It holds the lock of the endpoint, for which outcomes and new events wait. */
const batchSize = 1_000;

/**
 * Queues every dead delivery since a time again, in transactions of one batch each. Each is visited once, so that one that
 * dies again meanwhile is not queued twice. Parallel calls share the deliveries. Returns the number queued.
 */
export async function recoverDeadDeliveries(
  pool: Pool,
  endpoint: { id: string; partnerId: string },
  { since, now }: { since: string; now: () => Date },
): Promise<number> {
  let replayed = 0;
  let after: DeliveryPlace | undefined = { createdAt: since, id: zeroUuid };
  while (after !== undefined) {
    const batch = await replayBatch(pool, endpoint, after, now());
    replayed += batch?.replayed ?? 0;
    after = batch?.last;
  }
  return replayed;
}

async function replayBatch(
  pool: Pool,
  endpoint: { id: string; partnerId: string },
  after: DeliveryPlace,
  at: Date,
) {
  return transaction(pool, async (tx) => {
    const locked = await lockEndpoint(tx, endpoint);
    if (locked === undefined) throw new ApiError('not_found');
    if (locked.status === 'disabled') throw new ApiError('endpoint_disabled');
    const batch = await replayDeadDeliveries(tx, { endpointId: endpoint.id, after, limit: batchSize, at });
    if (batch !== undefined) await wakeEndpoints(tx, [endpoint.id], at);
    return batch;
  });
}
