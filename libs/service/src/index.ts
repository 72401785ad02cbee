export {
  flag,
  integer,
  keyRing,
  milliseconds,
  natsOptions,
  numberedKeyRing,
  port,
  serviceFields,
  splitList,
} from './fields.ts';
export type { SecretKey, ServiceConfig } from './fields.ts';
export {
  openMessaging,
  openService,
  serveOperations,
  startOrgPurges,
  waitForDatabase,
} from './open-service.ts';
export type { OpenService } from './open-service.ts';
export { runService } from './run-service.ts';
