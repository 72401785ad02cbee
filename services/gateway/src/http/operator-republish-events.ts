import { operatorRepublishEvents } from '@bv/contract';
import { callRpc, republishRpc } from '@bv/events';
import { route } from '@bv/http';
import { servicesWithDeadEvents } from '../domain/services.ts';
import { unanswered } from './dead-events.ts';
import type { OperationsContext } from './operations-context.ts';

/** Seven days of events are marked in steps; below the time a caller of the plane is given. */
const askTimeoutMs = 25_000;

/** Safe to repeat, so that one silent service is no reason to keep the others from it. */
export const operatorRepublishEventsRoute = ({ messaging }: OperationsContext) =>
  route(operatorRepublishEvents, async ({ body: { since } }) => {
    const asked = await Promise.allSettled(
      servicesWithDeadEvents.map(async (service) => {
        const nats = messaging.nats();
        const { events } = await callRpc(nats, republishRpc(service), { since }, { timeoutMs: askTimeoutMs });
        return { service, events };
      }),
    );
    const republished = asked.map((answer, index) => {
      if (answer.status === 'fulfilled') return answer.value;
      throw unanswered(servicesWithDeadEvents[index] ?? '', answer.reason, 'events');
    });
    return { data: { republished } };
  });
