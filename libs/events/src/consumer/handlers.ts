import type { Transaction } from '@bv/postgres';
import type { Envelope, EnvelopeOf, Source } from '../define-event.ts';
import type { EventOf } from '../registry.ts';

/** By event type. What a handler does through `tx` is committed together with the note that it was done. */
export type Handlers<S extends Source> = {
  [E in EventOf<S> as E['type']]?: (tx: Transaction, envelope: EnvelopeOf<E>) => Promise<void>;
};

/** Takes the events of `events`, many at a time, in one transaction. */
export type Batch<S extends Source, E extends EventOf<S> = EventOf<S>> = {
  events: readonly E[];
  /** At most 200. */
  size: number;
  /** How long the first event of a batch waits for others. */
  maxWaitMs: number;
  handler(tx: Transaction, envelopes: EnvelopeOf<E>[]): Promise<void>;
};

/** The same with the types worn off: what arrives has been parsed by the schema of its type. */
export type AnyHandler = (tx: Transaction, envelope: Envelope) => Promise<void>;
export type AnyBatch = {
  events: readonly { type: string }[];
  size: number;
  maxWaitMs: number;
  handler(tx: Transaction, envelopes: Envelope[]): Promise<void>;
};
