import { operatorListDeadEvents } from '@bv/contract';
import type { DeadEvent } from '@bv/contract';
import { readCursor } from '@bv/cursor';
import { callRpc, listDeadEventsRpc } from '@bv/events';
import type { Messaging } from '../events/messaging.ts';
import { route } from '@bv/http';
import { servicesWithDeadEvents } from '../domain/services.ts';
import { presentDeadEvent, toUnavailable } from './dead-events.ts';
import type { OperationsContext } from './operations-context.ts';

const rpcTimeoutMs = 3_000;
const collection = { operation: operatorListDeadEvents.id, collection: [] };

type Position = { created_at: string; id: string };
type Found = DeadEvent & { position: Position };

/** Each service stores its own dead-letter events. A page contains the newest of all services. */
export const operatorListDeadEventsRoute = ({ messaging, cursors }: OperationsContext) =>
  route(operatorListDeadEvents, async ({ query: { cursor, limit } }) => {
    const sort =
      cursor === undefined ? undefined : readCursor(cursors, { ...collection, cursor, filters: {} }).sort;
    const before = sort === undefined ? null : { created_at: String(sort[0]), id: String(sort[1]) };
    const lists = await Promise.all(
      servicesWithDeadEvents.map((service) => listFromService(messaging, service, { limit, before })),
    );
    const found = lists.flat().toSorted((a, b) => compare(b.position, a.position));
    const page = found.slice(0, limit);
    const last = page.at(-1);
    // A service that returned a full page may have more.
    const has_more =
      last !== undefined && (found.length > limit || lists.some((list) => list.length === limit));
    const next_cursor = has_more
      ? cursors.encode({ ...collection, filters: {}, sort: [last.position.created_at, last.position.id] })
      : null;
    return { data: page.map(({ position: _, ...event }) => event), pagination: { next_cursor, has_more } };
  });

async function listFromService(
  messaging: Messaging,
  service: string,
  page: { limit: number; before: Position | null },
): Promise<Found[]> {
  try {
    const rows = await callRpc(messaging.nats(), listDeadEventsRpc(service), page, {
      timeoutMs: rpcTimeoutMs,
    });
    return rows.map((row) => ({
      ...presentDeadEvent(service, row),
      position: { created_at: row.created_at, id: row.id },
    }));
  } catch (error) {
    throw toUnavailable(service, error);
  }
}

function compare(a: Position, b: Position): number {
  const [left, right] = [a, b].map(({ created_at, id }) => `${created_at} ${id}`) as [string, string];
  return left < right ? -1 : left > right ? 1 : 0;
}
