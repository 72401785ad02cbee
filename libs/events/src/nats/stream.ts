import { setTimeout as sleep } from 'node:timers/promises';
import {
  AckPolicy,
  DeliverPolicy,
  DiscardPolicy,
  JetStreamApiCodes,
  JetStreamApiError,
  RetentionPolicy,
  StorageType,
  jetstreamManager,
} from '@nats-io/jetstream';
import type { ConsumerInfo, JetStreamManager, StreamConfig } from '@nats-io/jetstream';
import { nanos } from '@nats-io/nats-core';
import type { Nats } from './connect.ts';

export const streamName = 'BV_EVENTS';

/** Deadline of one call of the JetStream API. */
const apiTimeoutMs = 3_000;
/**
 * Time without an acknowledgement after which the server delivers a message again. It is shorter than the default wait
 * for an operator's change to be applied, so that a process that dies does not make the wait time out.
 */
export const defaultAckWaitMs = 6_000;

/**
 * At this limit, which includes messages that wait for a retry, the server delivers no more. Pull requests bound the
 * messages in flight, so the limit is far above them.
 */
export const defaultMaxAckPending = 20_000;

const dayMs = 24 * 60 * 60 * 1_000;
const configurationDiffers = new Set([10_058, 10_148]);
/** 10065: the subjects belong to another stream, or to this one while another process creates it. */
const streamMayExist = new Set([...configurationDiffers, 10_065]);
const streamMissing = new Set<number>([JetStreamApiCodes.StreamNotFound]);

export function manager(nats: Nats): Promise<JetStreamManager> {
  return jetstreamManager(nats.connection, { timeout: apiTimeoutMs, checkAPI: false });
}

/** Before something that is missing is treated as lost. */
export const secondLookMs = 1_000;
/** Connections that had the stream. */
const seen = new WeakSet<Nats>();

/** Creates or updates the stream. Any number of processes may do so at once. */
export async function ensureStream(nats: Nats): Promise<void> {
  const { streams } = await manager(nats);
  // With the deleted stream, nats-server 2.9 could remove the directory of one that is created at once.
  if (seen.has(nats) && !(await hasStream(streams))) await sleep(secondLookMs);
  const wanted = {
    name: streamName,
    subjects: ['events.>'],
    retention: RetentionPolicy.Limits,
    storage: StorageType.File,
    // Rejected publications stay in the outbox. Discarding the oldest messages would lose events silently.
    discard: DiscardPolicy.New,
    max_age: nanos(7 * dayMs),
    duplicate_window: nanos(5 * 60 * 1_000),
    ...(nats.streamReplicas === undefined ? {} : { num_replicas: nats.streamReplicas }),
  } satisfies Partial<StreamConfig>;
  try {
    await streams.add(wanted);
  } catch (error) {
    if (!hasCode(error, streamMayExist)) throw error;
    const { config } = await streams.info(streamName).catch(() => Promise.reject(error));
    await streams.update(streamName, { ...config, ...wanted });
  }
  seen.add(nats);
}

async function hasStream(streams: JetStreamManager['streams']): Promise<boolean> {
  try {
    await streams.info(streamName);
    return true;
  } catch (error) {
    if (hasCode(error, streamMissing)) return false;
    throw error;
  }
}

/** Whether this event is at its sequence. A new stream can have another event there. */
export async function hasEvent(nats: Nats, { id, seq }: { id: string; seq: number }): Promise<boolean> {
  const { streams } = await manager(nats);
  const message = await streams.getMessage(streamName, { seq });
  return message?.header.get('Nats-Msg-Id').startsWith(id) ?? false;
}

/** The directory of the stream is missing. Its server then refuses all messages, and does not create it again. */
export function isStoreMissing(error: unknown): boolean {
  return error instanceof JetStreamApiError && /no such file or directory/.test(error.message);
}

/** One filter subject, because several need nats-server 2.10. No `backoff`, because its first value replaces `ack_wait`. */
export async function ensureConsumer(
  nats: Nats,
  consumer: { name: string; filterSubject: string; ackWaitMs: number; maxAckPending: number },
): Promise<ConsumerInfo> {
  const api = await manager(nats);
  const { name } = consumer;
  const wanted = {
    name,
    durable_name: name,
    filter_subject: consumer.filterSubject,
    ack_policy: AckPolicy.Explicit,
    ack_wait: nanos(consumer.ackWaitMs),
    max_ack_pending: consumer.maxAckPending,
    // The consumer counts attempts. At a limit of the server a message would never be delivered again.
    max_deliver: -1,
  };
  try {
    return await api.consumers.add(streamName, { ...wanted, deliver_policy: DeliverPolicy.All });
  } catch (error) {
    if (!hasCode(error, configurationDiffers)) throw error;
    return await api.consumers.update(streamName, name, wanted);
  }
}

function hasCode(error: unknown, codes: ReadonlySet<number>): boolean {
  return error instanceof JetStreamApiError && codes.has(error.code);
}
