import { ApiError } from '@bv/contract';

/** Where in the stream an event stands. */
export type PublishedEvent = { subject: string; seq: number };

/** Internal answer header of the operator API: what every consumer must have passed. */
export const publishedHeader = 'x-bv-published';

/** Waits until the events are in the stream and tells where; rejects when that takes too long. */
export type FlushEvents = (eventIds: readonly string[]) => Promise<readonly PublishedEvent[]>;

/**
 * The header for events that a handler names. Consumers acknowledge in order, so the highest position of each
 * subject says it all and the header stays short however many events there are.
 */
export async function publishedHeaderOf(eventIds: readonly string[], flush: FlushEvents): Promise<string> {
  const highest = new Map<string, number>();
  for (const { subject, seq } of await flushOrRefuse(eventIds, flush)) {
    highest.set(subject, Math.max(seq, highest.get(subject) ?? 0));
  }
  return JSON.stringify([...highest].map(([subject, seq]) => ({ subject, seq })));
}

/** What a service published for the answer it gave; empty when it published nothing. */
export function readPublished(header: string | undefined): PublishedEvent[] {
  return header === undefined ? [] : (JSON.parse(header) as PublishedEvent[]);
}

async function flushOrRefuse(
  eventIds: readonly string[],
  flush: FlushEvents,
): Promise<readonly PublishedEvent[]> {
  try {
    return await flush(eventIds);
  } catch (cause) {
    const message = 'The change is stored, but not every service has applied it yet';
    const details = { stored: true, waiting_for: [] };
    throw new ApiError('api_unavailable', { message, details, retryAfterSeconds: 5, cause });
  }
}
