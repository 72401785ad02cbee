export {
  freePort,
  startReceiver,
  type ReceivedRequest,
  type Receiver,
  type ReceiverHandler,
} from '@bv/stack';
export { answersOutsideDocument, standsIn } from './answers/watch.ts';
export { answered, callService, testCaller, testCallerSecret } from './caller.ts';
export type { ServiceAnswer, ServiceCall } from './caller.ts';
export { createDatabase, type TestDatabase } from './databases.ts';
export { eventually } from './eventually.ts';
export { makeReadOnly } from './read-only.ts';
export { natsUrl, redisUrl, startNats, startPostgres, startRedis, type TestServer } from './servers.ts';
export { undisturbed } from './undisturbed.ts';
export { startWholeStack, type WholeStack } from './whole-stack.ts';
