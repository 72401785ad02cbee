import type { Transaction } from '@bv/postgres';
import type { Envelope, TypedEnvelope, Source } from '../define-event.ts';
import type { AnyEvent, SourceEvent } from '../registry.ts';

type EnvelopeOfType<T> = TypedEnvelope<Extract<AnyEvent, { type: T }>>;

/** By event type. What a handler does through `tx` is committed together with the note that it was done. */
export type Handlers<S extends Source> = {
  [T in SourceEvent<S>['type']]?: (tx: Transaction, envelope: EnvelopeOfType<T>) => Promise<void>;
};

/** Takes the events of one type, many at a time, in one transaction. */
export type Batch<T extends AnyEvent['type']> = {
  type: T;
  /** At most 200. */
  size: number;
  /** How long the first event of a batch waits for others. */
  maxWaitMs: number;
  handler(tx: Transaction, envelopes: EnvelopeOfType<T>[]): Promise<void>;
};

/** A batch of any one type of the source. */
export type SourceBatch<S extends Source> = {
  [T in SourceEvent<S>['type']]: Batch<T>;
}[SourceEvent<S>['type']];

/** The same without the types of the events, because the schema of its type has parsed each message. */
export type AnyHandler = (tx: Transaction, envelope: Envelope) => Promise<void>;
export type AnyBatch = {
  type: string;
  size: number;
  maxWaitMs: number;
  handler(tx: Transaction, envelopes: Envelope[]): Promise<void>;
};
