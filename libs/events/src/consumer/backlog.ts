import type { Nats } from '../nats/connect.ts';
import { listOwnConsumers } from '../nats/own-consumers.ts';

/** Messages of a source that a service has not handled yet. */
export type ConsumerBacklog = { service: string; source: string; waiting: number };

/** Reads the backlog of every consumer from JetStream, also where the service does not run. */
export async function listConsumerBacklogs(nats: Nats): Promise<ConsumerBacklog[]> {
  const backlogs = (await listOwnConsumers(nats)).map((info) => {
    const [service = '', source = ''] = info.name.split('-');
    return { service, source, waiting: info.num_pending + info.num_ack_pending };
  });
  return backlogs.toSorted((a, b) => (a.source < b.source ? -1 : 1));
}
