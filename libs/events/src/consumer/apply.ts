import { failpoint } from '@bv/lifecycle';
import { isUnavailable, transaction } from '@bv/postgres';
import { extractTraceContext, withSpan } from '@bv/telemetry';
import type { JsMsg } from '@nats-io/jetstream';
import type { Envelope } from '../define-event.ts';
import type { Outcome } from './consumer-metrics.ts';
import type { AnyBatch, AnyHandler } from './handlers.ts';
import { insertInbox, insertInboxBatch } from './inbox.ts';
import { classifyFailure, settle } from './settle.ts';
import type { Result, Settling } from './settle.ts';

/** A lost race between two transactions is no failure of the event, so it is retried at once. */
const conflictRetries = 2;

/** Inbox row and effect in one transaction, acknowledged after the commit: redelivery changes nothing. */
export async function applyOne(
  message: JsMsg,
  envelope: Envelope,
  handler: AnyHandler,
  settling: Settling,
): Promise<void> {
  const { pool, consumer, meters, prepare } = settling;
  const { id, type, traceparent } = envelope;
  const started = performance.now();
  const apply = (): Promise<Outcome> =>
    transaction(
      pool,
      async (tx) => {
        const isNew = await insertInbox(tx, consumer, id);
        if (!isNew) return 'duplicate';
        await handler(tx, envelope);
        failpoint('consumer.applied');
        return 'applied';
      },
      { retries: conflictRetries },
    );
  let result: Result;
  try {
    const attributes = { 'messaging.system': 'nats', 'messaging.message.id': id };
    result = await extractTraceContext({ traceparent }, () =>
      withSpan(`process ${type}`, attributes, async () => {
        await prepare([envelope]);
        return apply();
      }),
    );
    failpoint('consumer.committed');
    meters.handled(type, (performance.now() - started) / 1_000);
  } catch (error) {
    result = await classifyFailure(message, { messageId: id, eventId: id, type, envelope }, error, settling);
  }
  settle(message, type, result, settling);
}

export type Held = { message: JsMsg; envelope: Envelope };

/** All of a batch in one transaction. If that fails, one by one, so that only the culprit is retried. */
export async function applyBatch(held: readonly Held[], batch: AnyBatch, settling: Settling): Promise<void> {
  const { pool, consumer, meters, prepare } = settling;
  const started = performance.now();
  try {
    await prepare(held.map(({ envelope }) => envelope));
    const fresh = await transaction(
      pool,
      async (tx) => {
        const ids = await insertInboxBatch(
          tx,
          consumer,
          held.map(({ envelope }) => envelope.id),
        );
        const firsts = new Map(held.map(({ envelope }) => [envelope.id, envelope]));
        const envelopes = [...firsts.values()].filter(({ id }) => ids.has(id));
        if (envelopes.length > 0) await batch.handler(tx, envelopes);
        failpoint('consumer.applied');
        return ids;
      },
      { retries: conflictRetries },
    );
    failpoint('consumer.committed');
    for (const { message, envelope } of held) {
      settle(message, envelope.type, fresh.delete(envelope.id) ? 'applied' : 'duplicate', settling);
    }
    meters.handled('batch', (performance.now() - started) / 1_000);
  } catch (error) {
    await applyEach(held, batch, error, settling);
  }
}

async function applyEach(
  held: readonly Held[],
  batch: AnyBatch,
  error: unknown,
  settling: Settling,
): Promise<void> {
  const { availability, log } = settling;
  if (isUnavailable(error)) await availability.check();
  if (availability.available()) {
    log.warn({ err: error, events: held.length }, 'batch failed; its events are taken one by one');
  }
  const handler: AnyHandler = (tx, envelope) => batch.handler(tx, [envelope]);
  for (const { message, envelope } of held) {
    if (availability.available()) await applyOne(message, envelope, handler, settling);
    else settle(message, envelope.type, 'unavailable', settling);
  }
}
