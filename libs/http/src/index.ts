export { BodyBuffer } from './body-buffer.ts';
export { callerGraceMs, callerHeader, signCaller, verifyCaller } from './caller.ts';
export type { Caller } from './caller.ts';
export { decodeHeader } from './read-input.ts';
export { toErrorResponse, unavailableRetrySeconds } from './send-response.ts';
export type { ErrorResponse } from './send-response.ts';
export { ClientGoneError, IncomingBody } from './incoming-body.ts';
export { listen } from './listen.ts';
export type { ListenOptions, Listening } from './listen.ts';
export {
  findOperation,
  processOnce,
  pruneOperations,
  recordOperation,
  replayedHeader,
} from './process-once.ts';
export type { ProcessedOperation, RecordedResponse } from './process-once.ts';
export { publishedHeader, readPublished } from './published.ts';
export type { FlushEvents, PublishedEvent } from './published.ts';
export { route } from './route.ts';
export type { Handler, HandlerInput, Result, Route } from './route.ts';
export { ClosedConnectionError, HeadersTooLargeError, sendRequest } from './send-request.ts';
export { createServiceApp } from './service-app.ts';
export type { ServiceAppOptions } from './service-app.ts';
