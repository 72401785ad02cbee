import { ApiError } from '@bv/contract';
import { isUnavailable } from '@bv/postgres';

/** Position of an event in the stream. */
export type PublishedEvent = { subject: string; seq: number };

/** Internal response header of the operator API: the stream positions that every consumer must reach. */
export const publishedHeader = 'x-bv-published';

/** Waits until the events are in the stream and returns their positions. Rejects after a timeout. */
export type FlushEvents = (eventIds: readonly string[]) => Promise<readonly PublishedEvent[]>;

/**
 * Builds the header for the events of a handler. Consumers acknowledge in order, so the highest position of each subject is
 * enough and the header stays short for any number of events.
 */
export async function buildPublishedHeader(eventIds: readonly string[], flush: FlushEvents): Promise<string> {
  const highest = new Map<string, number>();
  for (const { subject, seq } of await flushOrRefuse(eventIds, flush)) {
    highest.set(subject, Math.max(seq, highest.get(subject) ?? 0));
  }
  return JSON.stringify([...highest].map(([subject, seq]) => ({ subject, seq })));
}

/** The positions of the events that a service published for a response; empty if it published none. */
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
    const waitingFor = isUnavailable(cause) ? 'postgres' : 'nats';
    const message = `The change is stored, but has not been applied yet by: ${waitingFor}`;
    const details = { stored: true, waiting_for: [waitingFor] };
    throw new ApiError('api_unavailable', { message, details, retryAfterSeconds: 5, cause });
  }
}
