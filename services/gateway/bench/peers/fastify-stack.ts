import rateLimit from '@fastify/rate-limit';
import replyFrom from '@fastify/reply-from';
import { fastify, type FastifyRequest } from 'fastify';
import { Redis } from 'ioredis';
import { findKey, port, redisUrl, upstream, type Presented } from './settings.ts';

/** Fastify with its own rate limiter on Redis and its own proxy. */
const presented = new WeakMap<FastifyRequest, Presented>();
const keyOf = (request: FastifyRequest): Presented => presented.get(request) ?? { hash: '', perMinute: 0 };

const app = fastify({ logger: false });
app.addHook('onRequest', async (request, reply) => {
  const key = findKey(request.headers.authorization);
  if (key === undefined) return reply.code(401).send({ error: { code: 'invalid_api_key' } });
  presented.set(request, key);
  return undefined;
});
await app.register(rateLimit, {
  redis: new Redis(redisUrl, { enableAutoPipelining: true }),
  nameSpace: 'fastify:',
  timeWindow: 60_000,
  max: (request) => keyOf(request).perMinute,
  keyGenerator: (request) => keyOf(request).hash,
});
await app.register(replyFrom, { base: upstream, undici: { connections: 128, pipelining: 1 } });
app.all('/*', (request, reply) => {
  void reply.from(request.url);
});
await app.listen({ port, host: '127.0.0.1' });
