import type { JsMsg } from '@nats-io/jetstream';
import { z } from 'zod';
import { EnvelopeSchema, subjectOf } from '../define-event.ts';
import type { Envelope } from '../define-event.ts';
import { findEvent } from '../registry.ts';

export type Decoded =
  | { kind: 'event'; envelope: Envelope }
  /** Its type is unknown, or this consumer has no handler for it. */
  | { kind: 'ignored'; type: string }
  | ({ kind: 'broken'; error: string } & FailedMessage);

/** What a dead-letter event stores of a message. */
export type FailedMessage = { type: string; messageId: string; eventId: string | null; envelope: unknown };

/** Validates a message before anything else uses it. */
export function decode(message: JsMsg, consumer: string, wants: (type: string) => boolean): Decoded {
  const type = message.subject.slice(subjectOf('').length);
  const definition = findEvent(type);
  if (definition === undefined || !wants(type)) return { kind: 'ignored', type };
  const text = message.string();
  const raw = parseJson(text);
  // Before the rest of the envelope, because other consumers must ignore a redriven message that they cannot parse.
  const { consumer: only, message_id: redriven } = Redrive.parse(raw);
  if (only !== undefined && only !== consumer) return { kind: 'ignored', type };
  const parsed = EnvelopeSchema.safeParse(raw);
  const broken = (error: string): Decoded => {
    const eventId = eventIdOf(raw);
    const messageId = redriven ?? eventId ?? deliveryIdOf(message);
    return {
      kind: 'broken',
      type,
      messageId,
      eventId,
      envelope: raw ?? { raw: text.slice(0, 10_000) },
      error,
    };
  };
  if (!parsed.success) return broken(reasonsOf(parsed.error));
  const envelope = parsed.data;
  if (envelope.type !== type) return broken(`type ${envelope.type} in a message of ${message.subject}`);
  const data = definition.data.safeParse(envelope.data);
  if (!data.success) return broken(reasonsOf(data.error));
  return { kind: 'event', envelope: { ...envelope, data: data.data } };
}

/** What a redrive adds to an envelope. */
const Redrive = z
  .object({
    consumer: z.string().optional().catch(undefined),
    message_id: z.string().optional().catch(undefined),
  })
  .catch({});

/** The same for every delivery of a message. The time distinguishes streams, whose sequences all start at 1. */
function deliveryIdOf({ headers, seq, timestamp }: JsMsg): string {
  return headers?.get('Nats-Msg-Id') || `${seq}@${timestamp}`;
}

const reasonsOf = ({ issues }: z.ZodError): string =>
  issues
    .map(({ path, message }) => (path.length === 0 ? message : `${path.join('.')}: ${message}`))
    .join('; ');

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function eventIdOf(raw: unknown): string | null {
  const parsed = EnvelopeSchema.pick({ id: true }).safeParse(raw);
  return parsed.success ? parsed.data.id : null;
}
