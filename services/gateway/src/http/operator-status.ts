import { ApiError, operatorGetStatus } from '@bv/contract';
import type { ServiceStatus } from '@bv/contract';
import { RpcUnavailable, callRpc, listConsumerBacklogs, maxCounted, statusRpc } from '@bv/events';
import type { ConsumerBacklog, Nats } from '@bv/events';
import { route } from '@bv/http';
import type { Route } from '@bv/http';
import type { Context } from '../context.ts';
import { services } from './services.ts';

export function operatorGetStatusRoute({ getNats }: Context): Route {
  return route(operatorGetStatus, async () => {
    const nats = getNats();
    const backlogs = await listConsumerBacklogs(nats).catch((cause: unknown) => {
      throw new ApiError('api_unavailable', { message: 'NATS cannot be reached now', cause });
    });
    const reported = await Promise.all(services.map((service) => getServiceStatus(nats, service, backlogs)));
    return { data: { services: reported } };
  });
}

/** The backlog of its consumers is known also while no process of the service replies. */
async function getServiceStatus(
  nats: Nats,
  service: string,
  backlogs: readonly ConsumerBacklog[],
): Promise<ServiceStatus> {
  const consumers = backlogs
    .filter((backlog) => backlog.service === service)
    .map(({ source, waiting }) => ({
      name: `events of ${source}`,
      waiting: Math.min(waiting, maxCounted),
      oldest_seconds: null,
    }));
  try {
    const { queues, ...reply } = await callRpc(nats, statusRpc(service), {});
    return { service, state: 'ok', ...reply, queues: [...queues, ...consumers] };
  } catch (error) {
    if (!(error instanceof RpcUnavailable)) throw error;
    return { service, state: 'no_response', migration: null, dead_events: null, queues: consumers };
  }
}
