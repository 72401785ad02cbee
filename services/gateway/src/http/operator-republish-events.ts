import { operatorRepublishEvents } from '@bv/contract';
import { callRpc, republishRpc } from '@bv/events';
import { route } from '@bv/http';
import { servicesWithDeadEvents } from '../domain/services.ts';
import { toUnavailable } from './dead-events.ts';
import type { OperationsContext } from './operations-context.ts';

/** Services mark up to seven days of events in steps. Below the timeout of operator API calls. */
const rpcTimeoutMs = 25_000;

/** Calls all services even if one fails: the operation is safe to repeat. */
export const operatorRepublishEventsRoute = ({ messaging }: OperationsContext) =>
  route(operatorRepublishEvents, async ({ body: { since } }) => {
    const replies = await Promise.allSettled(
      servicesWithDeadEvents.map(async (service) => {
        const nats = messaging.nats();
        const { events } = await callRpc(nats, republishRpc(service), { since }, { timeoutMs: rpcTimeoutMs });
        return { service, events };
      }),
    );
    const republished = replies.map((reply, index) => {
      if (reply.status === 'fulfilled') return reply.value;
      throw toUnavailable(servicesWithDeadEvents[index] ?? '', reply.reason, 'events');
    });
    return { data: { republished } };
  });
