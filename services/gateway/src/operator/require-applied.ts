import { ApiError } from '@bv/contract';
import { waitApplied } from '@bv/events';
import type { Published } from '@bv/events';
import type { Config } from '../config.ts';
import type { Messaging } from '../events/messaging.ts';

/** Waits until every service has applied the events, so that the next public request sees the change. Else throws 503. */
export async function requireApplied(
  published: readonly Published[],
  { messaging, config }: { messaging: Messaging; config: Config },
): Promise<void> {
  if (published.length === 0) return;
  const nats = messaging.nats();
  const applied = await waitApplied({ nats, published, timeoutMs: config.APPLY_TIMEOUT_MS });
  if (applied.ok) return;
  const { waitingFor } = applied;
  throw new ApiError('api_unavailable', {
    message: `The change is stored, but has not been applied yet by: ${waitingFor.join(', ')}`,
    details: { stored: true, waiting_for: waitingFor },
    retryAfterSeconds: 5,
  });
}
