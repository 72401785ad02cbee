import type { JsMsg } from '@nats-io/jetstream';
import { z } from 'zod';
import { EnvelopeSchema, subjectOf } from '../define-event.ts';
import type { Envelope } from '../define-event.ts';
import { findEvent } from '../registry.ts';

export type Decoded =
  | { kind: 'event'; envelope: Envelope }
  /** Of a newer publisher, or of no interest to this consumer. */
  | { kind: 'ignored'; type: string }
  | { kind: 'broken'; type: string; eventId: string | null; envelope: unknown; error: string };

/** Judges what arrived before anything is done with it. */
export function decode(message: JsMsg, consumer: string, wants: (type: string) => boolean): Decoded {
  const type = message.subject.slice(subjectOf('').length);
  const definition = findEvent(type);
  if (definition === undefined || !wants(type)) return { kind: 'ignored', type };
  const text = message.string();
  const raw = parseJson(text);
  const parsed = EnvelopeSchema.safeParse(raw);
  if (!parsed.success) {
    const envelope = raw ?? { raw: text.slice(0, 10_000) };
    return { kind: 'broken', type, eventId: eventIdOf(raw), envelope, error: z.prettifyError(parsed.error) };
  }
  const envelope = parsed.data;
  if (envelope.consumer !== undefined && envelope.consumer !== consumer) return { kind: 'ignored', type };
  const data = definition.data.safeParse(envelope.data);
  const mismatch = envelope.type === type ? undefined : `type ${envelope.type} came under ${message.subject}`;
  const error = mismatch ?? (data.success ? undefined : z.prettifyError(data.error));
  if (error !== undefined) return { kind: 'broken', type, eventId: envelope.id, envelope: raw, error };
  return { kind: 'event', envelope: { ...envelope, data: data.data } };
}

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
