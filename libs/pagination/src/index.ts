export { createCursorCodec } from './codec.ts';
export type { CursorCodec } from './codec.ts';
export { buildPage, parsePage, parseWindowedPage, toCreatedAtPosition, toIdPosition } from './page.ts';
export type { PageRequest } from './page.ts';
export { endPosition, startPosition, zeroUuid } from './positions.ts';
