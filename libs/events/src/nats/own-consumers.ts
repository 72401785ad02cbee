import { setTimeout as sleep } from 'node:timers/promises';
import type { ConsumerInfo } from '@nats-io/jetstream';
import type { Nats } from './connect.ts';
import { manager, secondLookMs, streamName } from './stream.ts';

/** Consumers that an earlier version has left in the stream. No service reads them, so no change waits for them. */
const retiredConsumers = new Set(['catalog-scans']);

/** Whether it is a consumer of the product: its name is `<service>-<source>`, and it filters by its source. */
function isOwnConsumer({ config }: Pick<ConsumerInfo, 'config'>): boolean {
  const source = /^events\.([a-z]+)\.>$/.exec(config.filter_subject ?? '')?.[1];
  const name = /^[a-z]+-([a-z]+)$/.exec(config.durable_name ?? '');
  return source !== undefined && name?.[1] === source && !retiredConsumers.has(name[0]);
}

export async function listOwnConsumers(nats: Nats): Promise<ConsumerInfo[]> {
  const { consumers } = await manager(nats);
  const own: ConsumerInfo[] = [];
  for await (const info of consumers.list(streamName)) {
    if (isOwnConsumer(info)) own.push(info);
  }
  return own;
}

/**
 * Deletes the consumers that are past the end of a stream that was set back: they would skip the next messages. Their
 * services create them again, and skip what they have applied. Returns their names.
 */
export async function deleteConsumersAhead(nats: Nats): Promise<string[]> {
  if ((await listConsumersAhead(nats)).length === 0) return [];
  // Right after its election a leader of the stream may not have all messages.
  await sleep(secondLookMs);
  const { consumers } = await manager(nats);
  const names = (await listConsumersAhead(nats)).map(({ name }) => name);
  for (const name of names) await consumers.delete(streamName, name);
  return names;
}

/** The end is read last, because the stream grows. */
async function listConsumersAhead(nats: Nats): Promise<ConsumerInfo[]> {
  const { streams } = await manager(nats);
  const own = await listOwnConsumers(nats);
  const { state } = await streams.info(streamName);
  return own.filter(({ delivered }) => delivered.stream_seq > state.last_seq);
}
