export { freePort } from '@bv/stack';
export { eventually } from './eventually.ts';
export { natsUrl, redisUrl, startNats, startPostgres, startRedis, type TestServer } from './servers.ts';
