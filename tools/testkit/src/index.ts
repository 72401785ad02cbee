export {
  freePort,
  startReceiver,
  type ReceivedRequest,
  type Receiver,
  type ReceiverHandler,
} from '@bv/local-stack';
export { invalidResponses, registerStub } from './responses/watch.ts';
export { callService, retryUnavailable, testCaller, testCallerSecret } from './caller.ts';
export type { ServiceCall, ServiceResponse } from './caller.ts';
export { createDatabase, type TestDatabase } from './databases.ts';
export { childEnvironment } from './environment.ts';
export { eventually } from './eventually.ts';
export { createOperationClient, OperationResponse } from './operation-client.ts';
export type { CallOperation, OperationCall } from './operation-client.ts';
export { waitUntilLocked } from './lock-waits.ts';
export { makeReadOnly } from './read-only.ts';
export { natsUrl, redisUrl, startNats, startPostgres, startRedis, type TestServer } from './servers.ts';
export { retryIfStalled } from './retry-if-stalled.ts';
export { startFullStack, type FullStack } from './full-stack.ts';
export { openServiceStores, serviceEnvironment, startService } from './service.ts';
export type { ReplicaOptions, ServiceEntry } from './service.ts';
