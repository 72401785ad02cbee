import express, { type Request } from 'express';
import { rateLimit } from 'express-rate-limit';
import { createProxyMiddleware } from 'http-proxy-middleware';
import { Agent } from 'node:http';
import { Redis } from 'ioredis';
import { RedisStore, type RedisReply } from 'rate-limit-redis';
import { findKey, port, redisUrl, upstream, type Presented } from './settings.ts';

/** The stack most Express gateways are: express-rate-limit on Redis and http-proxy-middleware. */
const redis = new Redis(redisUrl, { enableAutoPipelining: true });
const presented = new WeakMap<Request, Presented>();
const keyOf = (request: Request): Presented => presented.get(request) ?? { hash: '', perMinute: 0 };

const app = express();
app.disable('x-powered-by');
app.use((request, response, next) => {
  const key = findKey(request.headers.authorization);
  if (key === undefined) {
    response.status(401).json({ error: { code: 'invalid_api_key' } });
    return;
  }
  presented.set(request, key);
  next();
});
app.use(
  rateLimit({
    windowMs: 60_000,
    limit: (request) => keyOf(request).perMinute,
    keyGenerator: (request) => keyOf(request).hash,
    standardHeaders: false,
    legacyHeaders: true,
    store: new RedisStore({
      prefix: 'express:',
      sendCommand: (command: string, ...args: string[]) =>
        redis.call(command, ...args) as Promise<RedisReply>,
    }),
  }),
);
app.use(createProxyMiddleware({ target: upstream, agent: new Agent({ keepAlive: true, maxSockets: 128 }) }));
app.listen(port, '127.0.0.1');
