import { execute, one } from '@bv/postgres';
import type { Pool } from '@bv/postgres';
import { wakeRelays } from './publish.ts';

const batchSize = 1_000;

/**
 * Heals a stream that lost messages: what was sent since then is sent again under new message ids, and
 * consumers that know an event pass it over. Small transactions, so that the relay goes on meanwhile.
 */
export async function republish(options: { pool: Pool; since: Date }): Promise<number> {
  const { pool, since } = options;
  // Without an upper bound the rows the relay has just sent again would be taken once more, for ever.
  const { now } = await one<{ now: string }>(pool, {
    name: 'events.get_clock',
    text: 'select clock_timestamp()::text as now',
    values: [],
  });
  let total = 0;
  for (;;) {
    const marked = await execute(pool, {
      name: 'events.update_unsent',
      text: `update outbox
                set sent_at = null, stream_seq = null, republished = republished + 1
              where id in (select id from outbox
                            where sent_at >= $1 and sent_at <= $2::timestamptz
                            limit $3
                              for update)`,
      values: [since, now, batchSize],
    });
    total += marked;
    wakeRelays(pool);
    if (marked < batchSize) return total;
  }
}
