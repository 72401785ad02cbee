import { jetstreamManager } from '@nats-io/jetstream';
import type { ConsumerInfo } from '@nats-io/jetstream';
import type { Nats } from '../src/index.ts';
import { streamName } from '../src/index.ts';

export async function countMessages(nats: Nats): Promise<number> {
  const { streams } = await jetstreamManager(nats.connection);
  return (await streams.info(streamName)).state.messages;
}

export async function consumerInfo(nats: Nats, name: string): Promise<ConsumerInfo> {
  const { consumers } = await jetstreamManager(nats.connection);
  return consumers.info(streamName, name);
}

export async function deleteStream(nats: Nats): Promise<void> {
  const { streams } = await jetstreamManager(nats.connection);
  await streams.delete(streamName);
}
