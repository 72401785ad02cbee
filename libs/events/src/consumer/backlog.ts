import type { Nats } from '../nats/connect.ts';
import { isOwnConsumer, manager, streamName } from '../nats/stream.ts';

/** Messages of a source that a service has not handled yet. */
export type ConsumerBacklog = { service: string; source: string; waiting: number };

/** Reads the backlog of every consumer from JetStream, also where the service does not run. */
export async function listConsumerBacklogs(nats: Nats): Promise<ConsumerBacklog[]> {
  const { consumers } = await manager(nats);
  const backlogs: ConsumerBacklog[] = [];
  for await (const info of consumers.list(streamName)) {
    if (!isOwnConsumer(info)) continue;
    const [service = '', source = ''] = info.name.split('-');
    backlogs.push({ service, source, waiting: info.num_pending + info.num_ack_pending });
  }
  return backlogs.toSorted((a, b) => (a.source < b.source ? -1 : 1));
}
