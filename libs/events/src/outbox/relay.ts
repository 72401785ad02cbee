import { setTimeout as sleep } from 'node:timers/promises';
import { createNotifier, failpoint, startInterval } from '@bv/lifecycle';
import { removeInBatches, transaction } from '@bv/postgres';
import type { Pool } from '@bv/postgres';
import { backoffMs } from '@bv/resilience';
import type { Logger, Metrics } from '@bv/telemetry';
import { jetstream } from '@nats-io/jetstream';
import type { JetStreamClient } from '@nats-io/jetstream';
import { subjectOf } from '../define-event.ts';
import type { Nats } from '../nats/connect.ts';
import { ensureStream, isStoreMissing, streamName } from '../nats/stream.ts';
import { createStateLog, retryBackoff } from '../retry.ts';
import { createLostEvents } from './lost-events.ts';
import type { LostEvents } from './lost-events.ts';
import { onOutboxFilled } from './publish.ts';
import { countUnsent, deleteSent, lockUnsent, updateSent } from './statements.ts';
import type { UnsentRow } from './statements.ts';

export type Relay = {
  /** Finishes the current batch. Unsent events stay in the outbox. */
  stop(): Promise<void>;
};

export type RelayOptions = { pool: Pool; nats: Nats; service: string; log: Logger; metrics: Metrics };

const batchSize = 100;
export const busyPollMs = 100;
export const idlePollMs = 500;
/** Batches the events of several commits of a busy process. */
const batchDelayMs = 20;
/** Short, because only this timeout detects that a server died. A second publication is a duplicate. */
const publishTimeoutMs = 3_000;
const retentionDays = 7;
const storeMissing = `NATS has lost the directory of the stream; delete stream ${streamName} or restart NATS`;

/**
 * Publishes the events of the outbox: at once after a commit of this process, by polling after commits of others. Any
 * number of relays may run, because each locks other rows.
 */
export async function startRelay(options: RelayOptions): Promise<Relay> {
  const { pool, nats } = options;
  const log = options.log.child({ relay: options.service });
  const meters = createRelayMetrics(options.metrics);
  const notifier = createNotifier();
  const state = createStateLog(log, {
    up: 'relay works again',
    down: 'relay cannot publish; events stay in the outbox',
  });
  let stopping = false;
  let streamReady = false;
  let failures = 0;
  const lostEvents = createLostEvents(options, log);

  const runOnce = async (): Promise<number> => {
    try {
      if (!nats.isConnected()) throw new Error('not connected to NATS');
      if (!streamReady) await ensureStream(nats);
      streamReady = true;
      await lostEvents.repairWhenDue();
      const count = await relayBatch(options, meters, lostEvents);
      failures = 0;
      state.up();
      if (count === batchSize) return 0;
      return count > 0 ? busyPollMs : idlePollMs;
    } catch (error) {
      streamReady = false;
      lostEvents.failed();
      state.down(error, isStoreMissing(error) ? storeMissing : undefined);
      failures += 1;
      return backoffMs(retryBackoff, failures);
    }
  };
  const loop = async (): Promise<void> => {
    while (!stopping) {
      const waitMs = await runOnce();
      if (waitMs === busyPollMs) await sleep(batchDelayMs);
      if (waitMs > 0 && !stopping) await notifier.wait(waitMs);
    }
  };

  const stopWatchingConnection = nats.onReconnect(() => {
    failures = 0;
    notifier.wake();
  });
  const stopWatchingPool = onOutboxFilled(pool, () => {
    if (failures === 0) notifier.wake();
  });
  const ended = loop();
  const maintenance = startMaintenance(pool, meters, log);
  return {
    stop: async () => {
      stopping = true;
      stopWatchingConnection();
      stopWatchingPool();
      notifier.wake();
      await Promise.all([ended, ...maintenance.map((interval) => interval.stop())]);
    },
  };
}

function startMaintenance(pool: Pool, meters: RelayMetrics, log: Logger): { stop(): Promise<void> }[] {
  const warn = (error: unknown): void => log.warn({ err: error }, 'outbox maintenance failed');
  const prune = (stopping: AbortSignal) =>
    removeInBatches((limit) => deleteSent(pool, retentionDays, limit), stopping);
  return [
    startInterval(5_000, async () => meters.waiting(await countUnsent(pool)), warn),
    startInterval(60 * 60 * 1_000, prune, warn),
  ];
}

/**
 * The row locks are held while publishing, so that no other relay sends these rows. If a relay dies between the
 * acknowledgement and the commit, the message id makes the second publication a duplicate.
 */
async function relayBatch(
  { pool, nats }: RelayOptions,
  meters: RelayMetrics,
  lostEvents: LostEvents,
): Promise<number> {
  const js = jetstream(nats.connection, { timeout: publishTimeoutMs });
  let failure: unknown;
  const count = await transaction(pool, async (tx) => {
    const rows = await lockUnsent(tx, batchSize);
    if (rows.length === 0) return 0;
    const acks = await Promise.allSettled(rows.map((row) => publishRow(js, row)));
    failpoint('relay.published');
    if (!lostEvents.isChecked()) throw new Error('NATS has reconnected');
    const sent = acks.flatMap((ack) => (ack.status === 'fulfilled' ? [ack.value] : []));
    failure = acks.find((ack) => ack.status === 'rejected')?.reason;
    meters.failed(rows.length - sent.length);
    if (sent.length > 0) await updateSent(tx, sent);
    for (const row of sent) meters.published(row.type);
    return rows.length;
  });
  if (failure !== undefined) throw failure;
  return count;
}

async function publishRow(
  js: JetStreamClient,
  row: UnsentRow,
): Promise<{ id: string; type: string; seq: number }> {
  const ack = await js.publish(subjectOf(row.type), row.envelope, {
    msgID: row.republished === 0 ? row.id : `${row.id}.${row.republished}`,
    expect: { streamName },
  });
  return { id: row.id, type: row.type, seq: ack.seq };
}

type RelayMetrics = {
  waiting(figures: { unsent: number; oldest_age_s: number }): void;
  published(type: string): void;
  failed(count: number): void;
};

function createRelayMetrics(metrics: Metrics): RelayMetrics {
  const unsent = metrics.gauge({
    name: 'bv_outbox_unsent',
    help: 'Events not sent yet, counted up to 10,000.',
  });
  const oldestAge = metrics.gauge({
    name: 'bv_outbox_oldest_age_seconds',
    help: 'Age of the oldest event not sent yet.',
  });
  const published = metrics.counter({
    name: 'bv_outbox_published_total',
    help: 'Events acknowledged by the stream.',
    labelNames: ['type'],
  });
  const errors = metrics.counter({
    name: 'bv_outbox_publish_errors_total',
    help: 'Publications that failed; their events stay in the outbox.',
  });
  return {
    waiting: (figures) => {
      unsent.set(figures.unsent);
      oldestAge.set(figures.oldest_age_s);
    },
    published: (type) => published.inc({ type }),
    failed: (count) => errors.inc(count),
  };
}
