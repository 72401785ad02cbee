export { freePort } from '@bv/stack';
export { createDatabase, type TestDatabase } from './databases.ts';
export { eventually } from './eventually.ts';
export { natsUrl, redisUrl, startNats, startPostgres, startRedis, type TestServer } from './servers.ts';
