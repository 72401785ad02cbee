import { z } from 'zod';

/** The services that publish events. */
export type Source = 'catalog' | 'gateway' | 'scans' | 'results';

/** `catalog.brand.changed.v1`: source, aggregate, what happened, version of the schema. */
type EventType<S extends Source> = `${S}.${string}.${string}.v${number}`;

export type EventDefinition<
  T extends string = string,
  S extends Source = Source,
  D extends z.ZodType = z.ZodType,
> = {
  readonly type: T;
  readonly source: S;
  /** Strips unknown keys, so that a newer publisher does not break an older reader. */
  readonly data: D;
};

export function defineEvent<
  const S extends Source,
  const T extends EventType<S>,
  D extends z.ZodType,
>(definition: { type: T; source: S; data: D }): EventDefinition<T, S, D> {
  return Object.freeze(definition);
}

export type EventData<E extends EventDefinition> = z.infer<E['data']>;

/** The message: CloudEvents' field names in plain JSON. */
export type Envelope<Data = unknown, Type extends string = string> = {
  id: string;
  source: string;
  type: Type;
  /** Id of the aggregate. */
  subject: string;
  time: string;
  /** Version of the aggregate. Only a newer one is applied. */
  version: number;
  data: Data;
  traceparent?: string | undefined;
  /** Set on a redriven message: the only consumer that handles it. */
  consumer?: string | undefined;
  /** Set on a redriven message: identifies its dead-letter event, also if `id` cannot be read. */
  message_id?: string | undefined;
};

export type TypedEnvelope<E extends EventDefinition> = E extends EventDefinition
  ? Envelope<EventData<E>, E['type']>
  : never;

/** An envelope without its data, which the event's own schema validates. */
export const EnvelopeSchema = z.object({
  id: z.uuid(),
  source: z.string(),
  type: z.string(),
  subject: z.string().min(1),
  time: z.iso.datetime(),
  version: z.int().min(0),
  data: z.unknown(),
  traceparent: z.string().optional(),
  consumer: z.string().optional(),
  message_id: z.string().optional(),
});

/** The subject a type is published under. */
export function subjectOf(type: string): string {
  return `events.${type}`;
}

/** Throws on unknown keys, which the schemas strip for readers: one in a publication is a bug. */
export function parseStrictly(event: EventDefinition, data: unknown): unknown {
  const parsed = event.data.parse(data);
  const unknown = findUnknownKey(data, parsed, '');
  if (unknown !== undefined) throw new Error(`${event.type} has no field ${unknown}`);
  return parsed;
}

function findUnknownKey(given: unknown, parsed: unknown, path: string): string | undefined {
  if (!isObject(given) || !isObject(parsed)) return undefined;
  for (const [key, value] of Object.entries(given)) {
    const here = path === '' ? key : `${path}.${key}`;
    if (!Object.hasOwn(parsed, key)) return here;
    const deeper = findUnknownKey(value, parsed[key], here);
    if (deeper !== undefined) return deeper;
  }
  return undefined;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}
