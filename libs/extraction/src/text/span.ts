/** A part of a text, from `start` up to `end`, which is exclusive. */
export type Span = { start: number; end: number };
