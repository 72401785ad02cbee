export {
  freePort,
  startReceiver,
  type ReceivedRequest,
  type Receiver,
  type ReceiverHandler,
} from '@bv/stack';
export { answersOutsideDocument, standsIn } from './answers/watch.ts';
export { callService, testCaller, testCallerSecret, type ServiceAnswer, type ServiceCall } from './caller.ts';
export { createDatabase, type TestDatabase } from './databases.ts';
export { eventually } from './eventually.ts';
export { natsUrl, redisUrl, startNats, startPostgres, startRedis, type TestServer } from './servers.ts';
export { undisturbed } from './undisturbed.ts';
