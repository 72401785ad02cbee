export { createCursorCodec } from './codec.ts';
export type { CursorCodec, CursorKey } from './codec.ts';
export type { Collection, Payload, SortValue, Window } from './payload.ts';
export { readCursor } from './read-cursor.ts';
export type { CursorRequest, CursorState } from './read-cursor.ts';
