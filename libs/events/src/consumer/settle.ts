import { checkWritable, isOutage, isUnavailable } from '@bv/postgres';
import type { Pool } from '@bv/postgres';
import type { Notifier } from '@bv/lifecycle';
import { backoffMs } from '@bv/resilience';
import type { Logger } from '@bv/telemetry';
import type { JsMsg } from '@nats-io/jetstream';
import type { Nats } from '../nats/connect.ts';
import { manager, streamName } from '../nats/stream.ts';
import { retryBackoff } from '../retry.ts';
import type { StateLog } from '../retry.ts';
import { insertFailedAttempt, upsertDeadLetterEvent } from './dead-letter-events.ts';
import type { FailedMessage } from './decode.ts';
import type { ConsumerMetrics, Outcome } from './metrics.ts';

/** Delays before the second, third, ... delivery. Later deliveries use the last one. */
export const defaultRetryDelaysMs: readonly number[] = [1_000, 5_000, 30_000, 120_000, 600_000];

const maxAttempts = 10;

const unavailableDelayMs = 1_000;

/** What the parts of a consumer share. */
export type ConsumerContext = {
  consumer: string;
  pool: Pool;
  log: Logger;
  meters: ConsumerMetrics;
  availability: Availability;
  retryDelaysMs: readonly number[];
  retryBacklog: RetryBacklog;
  /** Messages that are received and not settled, with the time of receipt. */
  inFlight: Map<JsMsg, number>;
};

/** `attempts`: failures of the message, if they differ from the number of its deliveries. */
export type Result = Outcome | { outcome: Outcome; attempts: number };

/** Acknowledges, delays or terminates a message. If that is lost, the inbox detects the next delivery as a duplicate. */
export function settle(message: JsMsg, type: string, result: Result, ctx: ConsumerContext): void {
  const { outcome, attempts = message.info.deliveryCount } =
    typeof result === 'string' ? { outcome: result } : result;
  ctx.inFlight.delete(message);
  ctx.meters.processed(type, outcome);
  try {
    respond(message, outcome, ctx.retryDelaysMs[attempts - 1] ?? ctx.retryDelaysMs.at(-1));
  } catch (error) {
    ctx.log.debug({ err: error, type, outcome }, 'message could not be acknowledged');
  }
}

function respond(message: JsMsg, outcome: Outcome, retryDelayMs = unavailableDelayMs): void {
  switch (outcome) {
    case 'applied':
    case 'duplicate':
    case 'ignored':
      message.ack();
      break;
    case 'dead':
      message.term();
      break;
    case 'unavailable':
      message.nak(unavailableDelayMs);
      break;
    case 'retry':
      // A `nak` without delay is redelivered at once and would use up all attempts.
      message.nak(retryDelayMs);
      break;
  }
}

/** Decides whether a message that failed is retried or dead-lettered. */
export async function classifyFailure(
  message: JsMsg,
  failed: FailedMessage,
  error: unknown,
  ctx: ConsumerContext,
): Promise<Result> {
  const { type, eventId } = failed;
  if (await isDatabaseUnavailable(error, ctx)) return 'unavailable';
  const { pool, consumer, log } = ctx;
  let attempts: number;
  try {
    attempts = await insertFailedAttempt(pool, consumer, failed.messageId);
  } catch (failure) {
    log.error({ err: failure, cause: error, type, event_id: eventId }, 'failed attempt could not be counted');
    return (await isDatabaseUnavailable(failure, ctx)) ? 'unavailable' : 'retry';
  }
  log.warn({ err: error, type, event_id: eventId, attempt: attempts }, 'event handler failed');
  if (attempts < maxAttempts) {
    if (!(await ctx.retryBacklog.isFull())) return { outcome: 'retry', attempts };
    log.error(
      { type, event_id: eventId },
      'too many events wait for a retry; event dead-lettered without one',
    );
  }
  const text = error instanceof Error ? error.message : String(error);
  return { outcome: await deadLetter({ ...failed, error: text }, attempts, ctx), attempts };
}

/**
 * Whether the database is the cause, so that the failure does not count as an attempt. An error that a handler can cause
 * is checked against the database.
 */
async function isDatabaseUnavailable(error: unknown, { availability }: ConsumerContext): Promise<boolean> {
  if (!isUnavailable(error)) return false;
  return !(await availability.check()) || isOutage(error);
}

/** Stores a message as a dead-letter event for the operator. */
export async function deadLetter(
  failed: FailedMessage & { error: string },
  attempts: number,
  ctx: ConsumerContext,
): Promise<Outcome> {
  const { consumer, pool, log } = ctx;
  const { type, eventId, error: reason } = failed;
  try {
    await upsertDeadLetterEvent(pool, { ...failed, consumer, attempts });
  } catch (error) {
    log.error(
      { err: error, type, event_id: eventId },
      'dead-letter event could not be stored; message stays in the stream',
    );
    return (await isDatabaseUnavailable(error, ctx)) ? 'unavailable' : 'retry';
  }
  log.error({ type, event_id: eventId, attempts, reason }, 'event dead-lettered');
  return 'dead';
}

/** Whether the database accepts writes. While it does not, the consumer fetches no message. */
export type Availability = {
  /** By the latest check. */
  available(): boolean;
  /** Checks the database; concurrent calls share one check. */
  check(): Promise<boolean>;
  /** Resolves when the database is available, or when the notifier wakes it while `stopping` returns true. */
  untilAvailable(notifier: Notifier, stopping: () => boolean): Promise<void>;
};

export function createAvailability(pool: Pool, state: StateLog): Availability {
  let available = true;
  let probing: Promise<boolean> | undefined;

  const probe = async (): Promise<boolean> => {
    try {
      await checkWritable(pool);
      available = true;
      state.up();
    } catch (error) {
      available = false;
      state.down(error);
    }
    return available;
  };
  const check = (): Promise<boolean> => {
    probing ??= probe().finally(() => {
      probing = undefined;
    });
    return probing;
  };
  return {
    available: () => available,
    check,
    untilAvailable: async (notifier, stopping) => {
      for (let failures = 0; !available && !stopping(); failures += 1) {
        if (!(await check())) await notifier.wait(backoffMs(retryBackoff, failures));
      }
    },
  };
}

/** Whether so many messages wait for a retry that the server would soon deliver no new ones. */
type RetryBacklog = { isFull(): Promise<boolean> };

const backlogRefreshMs = 1_000;

/** The bound is half of `maxAckPending`, because other replicas delay messages before this one reads the new number. */
export function createRetryBacklog(nats: Nats, name: string, maxAckPending: number): RetryBacklog {
  let full = false;
  let readAt = -Infinity;
  let failures = 0;
  let reading: Promise<void> | undefined;

  const read = async (): Promise<void> => {
    try {
      const { consumers } = await manager(nats);
      const { num_ack_pending: pending } = await consumers.info(streamName, name);
      full = pending >= maxAckPending / 2;
      readAt = performance.now();
      failures = 0;
    } catch {
      // If the count cannot be read, retry as usual.
      full = false;
    }
  };
  return {
    isFull: async () => {
      failures += 1;
      if (performance.now() - readAt >= backlogRefreshMs || failures > maxAckPending / 8) {
        reading ??= read().finally(() => {
          reading = undefined;
        });
        await reading;
      }
      return full;
    },
  };
}
