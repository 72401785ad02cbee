import { isOutage, isUnavailable } from '@bv/postgres';
import type { Pool } from '@bv/postgres';
import type { Logger } from '@bv/telemetry';
import type { JsMsg } from '@nats-io/jetstream';
import type { Availability } from './availability.ts';
import type { Failed } from './decode.ts';
import type { ConsumerMetrics, Outcome } from './consumer-metrics.ts';
import type { Prepare } from './prepare.ts';
import type { RetryBacklog } from './retry-backlog.ts';
import { upsertDeadEvent } from './dead-events.ts';
import { insertFailedAttempt } from './failed-attempts.ts';

/** Pauses before the second, third, ... delivery; the last one is used from then on. */
export const defaultRetryDelaysMs: readonly number[] = [1_000, 5_000, 30_000, 120_000, 600_000];

const maxAttempts = 10;

const unavailableDelayMs = 1_000;

export type Settling = {
  consumer: string;
  pool: Pool;
  log: Logger;
  meters: ConsumerMetrics;
  availability: Availability;
  retryDelaysMs: readonly number[];
  retryBacklog: RetryBacklog;
  /** Runs before a message's transaction, or a batch's. */
  prepare: Prepare;
  /** Messages taken and not settled, with the time they were taken. */
  inFlight: Map<JsMsg, number>;
};

/** `attempts`: failures of the message, where that is not the number of its deliveries. */
export type Result = Outcome | { outcome: Outcome; attempts: number };

/** Acknowledges, delays or ends a message. If that is lost, the message is delivered again and found in the inbox. */
export function settle(message: JsMsg, type: string, result: Result, settling: Settling): void {
  const { outcome, attempts = message.info.deliveryCount } =
    typeof result === 'string' ? { outcome: result } : result;
  settling.inFlight.delete(message);
  settling.meters.processed(type, outcome);
  try {
    answer(message, { outcome, attempts }, settling.retryDelaysMs);
  } catch (error) {
    settling.log.debug({ err: error, type, outcome }, 'no connection to acknowledge on');
  }
}

function answer(
  message: JsMsg,
  { outcome, attempts }: { outcome: Outcome; attempts: number },
  retryDelaysMs: readonly number[],
): void {
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
      // A plain nak comes back at once and burns all attempts within a blink.
      message.nak(retryDelaysMs[attempts - 1] ?? retryDelaysMs.at(-1) ?? unavailableDelayMs);
      break;
  }
}

/** A handler failed: later again, or never. */
export async function classifyFailure(
  message: JsMsg,
  dead: Failed,
  error: unknown,
  settling: Settling,
): Promise<Result> {
  const { type, eventId } = dead;
  if (await isDatabaseAway(error, settling)) return 'unavailable';
  const { pool, consumer, log } = settling;
  let attempts: number;
  try {
    attempts = await insertFailedAttempt(pool, consumer, dead.messageId);
  } catch (failure) {
    log.error({ err: failure, cause: error, type, event_id: eventId }, 'a failed attempt cannot be counted');
    return (await isDatabaseAway(failure, settling)) ? 'unavailable' : 'retry';
  }
  log.warn({ err: error, type, event_id: eventId, attempt: attempts }, 'event handler failed');
  if (attempts < maxAttempts) {
    if (!(await settling.retryBacklog.isFull())) return { outcome: 'retry', attempts };
    log.error({ type, event_id: eventId }, 'too many events wait for a retry; this one gets none');
  }
  const text = error instanceof Error ? error.message : String(error);
  return { outcome: await bury({ ...dead, error: text }, attempts, settling), attempts };
}

/** Whether the database is at fault, so that the message keeps its attempt. What a handler can cause is checked first. */
async function isDatabaseAway(error: unknown, { availability }: Settling): Promise<boolean> {
  if (!isUnavailable(error)) return false;
  return !(await availability.check()) || isOutage(error);
}

/** Nothing more can come of this message by itself: it is kept for the operator. */
export async function bury(
  dead: Failed & { error: string },
  attempts: number,
  settling: Settling,
): Promise<Outcome> {
  const { consumer, pool, log } = settling;
  try {
    await upsertDeadEvent(pool, { ...dead, consumer, attempts });
  } catch (error) {
    log.error(
      { err: error, type: dead.type, event_id: dead.eventId },
      'dead event cannot be stored; kept in the stream',
    );
    return (await isDatabaseAway(error, settling)) ? 'unavailable' : 'retry';
  }
  log.error({ type: dead.type, event_id: dead.eventId, attempts, reason: dead.error }, 'event is dead');
  return 'dead';
}
