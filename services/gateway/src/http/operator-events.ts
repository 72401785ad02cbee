import {
  ApiError,
  operatorDismissDeadEvent,
  operatorGetDeadEvent,
  operatorListDeadEvents,
  operatorRedriveDeadEvent,
  operatorRepublishEvents,
} from '@bv/contract';
import type { DeadEvent, ResponseData } from '@bv/contract';
import {
  RpcUnavailable,
  callRpc,
  dismissDeadLetterEventRpc,
  findDeadLetterEventRpc,
  listDeadLetterEventsRpc,
  redriveDeadLetterEventRpc,
  republishRpc,
} from '@bv/events';
import type { Rpc, RpcReply } from '@bv/events';
import { route } from '@bv/http';
import type { Route } from '@bv/http';
import { parsePage, toCreatedAtPosition } from '@bv/pagination';
import type { z } from 'zod';
import type { Context } from '../context.ts';
import { presentTime } from './present.ts';
import { services } from './services.ts';

type Position = { created_at: string; id: string };
type Found = DeadEvent & { position: Position };

/** A page contains the newest dead-letter events of all services. */
export function operatorListDeadEventsRoute({ getNats, cursors }: Context): Route {
  return route(operatorListDeadEvents, async ({ query }) => {
    const request = parsePage(cursors, { operation: operatorListDeadEvents.id, collection: [] }, query);
    const { limit } = request;
    const position = toCreatedAtPosition(request);
    const before = position && { created_at: position.createdAt, id: position.id };
    const lists = await Promise.all(
      services.map((service) => listFromService(getNats, service, { limit, before })),
    );
    const found = lists.flat().toSorted((a, b) => compare(b.position, a.position));
    const page = found.slice(0, limit);
    const last = page.at(-1);
    // A service that returned a full page may have more.
    const has_more =
      last !== undefined && (found.length > limit || lists.some((list) => list.length === limit));
    const next_cursor = has_more
      ? cursors.encode({ ...request, sort: [last.position.created_at, last.position.id] })
      : null;
    return { data: page.map(({ position: _, ...event }) => event), pagination: { next_cursor, has_more } };
  });
}

async function listFromService(
  getNats: Context['getNats'],
  service: string,
  page: { limit: number; before: Position | null },
): Promise<Found[]> {
  try {
    const rows = await callRpc(getNats(), listDeadLetterEventsRpc(service), page);
    return rows.map((row) => ({
      ...presentDeadLetterEvent(service, row),
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

type Message = ResponseData<typeof operatorGetDeadEvent>['message'];

export function operatorGetDeadEventRoute({ getNats }: Context): Route {
  return route(operatorGetDeadEvent, async ({ params: { deadEventId: id } }) => {
    const { service, row } = await callHolder(getNats, findDeadLetterEventRpc, id);
    return { data: { ...presentDeadLetterEvent(service, row), message: row.message as Message } };
  });
}

export function operatorRedriveDeadEventRoute({ getNats }: Context): Route {
  return route(operatorRedriveDeadEvent, async ({ params: { deadEventId: id } }) => {
    const { service, row } = await callHolder(getNats, redriveDeadLetterEventRpc, id);
    return { data: presentDeadLetterEvent(service, row) };
  });
}

export function operatorDismissDeadEventRoute({ getNats }: Context): Route {
  return route(operatorDismissDeadEvent, async ({ params: { deadEventId: id } }) => {
    const { service, row } = await callHolder(getNats, dismissDeadLetterEventRpc, id);
    return { data: presentDeadLetterEvent(service, row) };
  });
}

/** Calls all services even if one fails: the operation is safe to repeat. */
export function operatorRepublishEventsRoute({ getNats }: Context): Route {
  return route(operatorRepublishEvents, async ({ body: { since } }) => {
    const replies = await Promise.allSettled(
      services.map(async (service) => {
        const { events } = await callRpc(getNats(), republishRpc(service), { since });
        return { service, events };
      }),
    );
    const republished = replies.map((reply, index) => {
      if (reply.status === 'fulfilled') return reply.value;
      throw toUnavailable(services[index] ?? '', reply.reason, 'events');
    });
    return { data: { republished } };
  });
}

type ById<Reply extends z.ZodType> = Rpc<z.ZodType<{ id: string }>, Reply>;

/** Calls all services, because only the one that stores the event knows its id. One without a reply may store it. */
async function callHolder<Reply extends z.ZodType>(
  getNats: Context['getNats'],
  rpc: (service: string) => ById<Reply>,
  id: string,
): Promise<{ service: string; row: NonNullable<RpcReply<ById<Reply>>> }> {
  const replies = await Promise.allSettled(
    services.map(async (service) => {
      const reply = await callRpc(getNats(), rpc(service), { id }).catch((error: unknown) => {
        throw toUnavailable(service, error);
      });
      return { service, row: reply };
    }),
  );
  for (const reply of replies) {
    if (reply.status !== 'fulfilled') continue;
    const { service, row } = reply.value;
    if (row !== null && row !== undefined) return { service, row };
  }
  const failed = replies.find((reply) => reply.status === 'rejected');
  throw failed === undefined ? new ApiError('not_found') : failed.reason;
}

/** Converts a failed call to 503. A list without the service would suggest that it has no dead-letter events. */
function toUnavailable(service: string, error: unknown, what = 'dead-letter events'): unknown {
  if (!(error instanceof RpcUnavailable)) return error;
  const message = `The ${what} of ${service} cannot be read now`;
  return new ApiError('api_unavailable', { message, retryAfterSeconds: 5, cause: error });
}

type Times = { created_at: string; last_failed_at: string; redriven_at: string | null };

/** Converts the row of a service to the form of the operator API. */
function presentDeadLetterEvent<R extends Times>(service: string, row: R) {
  const created_at = presentTime(row.created_at);
  return {
    ...row,
    service,
    created_at,
    first_failed_at: created_at,
    last_failed_at: presentTime(row.last_failed_at),
    redriven_at: row.redriven_at === null ? null : presentTime(row.redriven_at),
  };
}
