import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createDatabase, freePort, natsUrl, redisUrl, testCallerSecret } from '@bv/testkit';
import { makeKeys, type Keys } from './keys.ts';
import { startAuthorizer, startNginxAuth, startNginxLua, startUpstream, type NginxOptions } from './nginx.ts';
import { startServer, type Started } from './processes.ts';
import type { Programs } from './programs.ts';

export type Target = {
  name: string;
  servers: Started[];
  /** Whether it checks keys and counts; the baseline does not. */
  guards: boolean;
  /** Is measured whatever `only` selects. */
  wanted?: true;
  /** A peer on Node: the gateway must reach its throughput. */
  onNode?: true;
};

export type Field = {
  /** The gateway is first: half load is half of its throughput. */
  targets: Target[];
  gateway: Target;
  baseline: Target;
  keys: Keys;
  path: string;
  upstream: Started;
  close(): Promise<void>;
};

export const baselineName = 'bare node:http + undici';

/** About the size of a list of three brands. */
const answer = JSON.stringify({
  data: [1, 2, 3].map((number) => ({
    id: `00000000-0000-4000-8000-00000000000${number}`,
    name: `Brand ${number}`,
    domain: `brand-${number}.example.com`,
    is_own: number === 1,
  })),
  pagination: { next_cursor: null, has_more: false },
});

export async function openField(programs: Programs, dir: string, keyCount: number): Promise<Field> {
  const database = await createDatabase('gateway');
  const pepper = { id: 1, key: randomBytes(32) };
  const keys = await makeKeys(dir, { databaseUrl: database.url, pepper, count: keyCount });
  const nginx = async (): Promise<NginxOptions> => ({ programs, dir, port: await freePort() });
  const path = `/v1/orgs/${keys.orgId}/brands`;
  const upstream = await startUpstream(await nginx(), answer);
  const startGateway = async (): Promise<Started> =>
    startOwn(dir, { databaseUrl: database.url, pepper: pepper.key, upstream: upstream.port });
  const peer = async (name: string): Promise<Started> => startPeer(dir, name, keys, upstream.port);
  const authorizer = await startAuthorizer(await nginx(), keys);
  const one = await startGateway();
  const gateway: Field['gateway'] = { name: 'this gateway', servers: [one], guards: true, wanted: true };
  const bare = await peer('bare');
  const baseline: Target = { name: baselineName, servers: [bare], guards: false, wanted: true };
  const targets: Target[] = [
    gateway,
    baseline,
    {
      name: 'this gateway, two processes',
      servers: [await startGateway(), await startGateway()],
      guards: true,
    },
    {
      name: 'Express + rate-limit + http-proxy-middleware',
      servers: [await peer('express-stack')],
      guards: true,
      onNode: true,
    },
    {
      name: 'nginx auth_request + limit_req',
      servers: [await startNginxAuth(await nginx(), keys, { upstream: upstream.port, authorizer })],
      guards: true,
    },
    {
      name: 'nginx + Lua, our Redis script',
      servers: [await startNginxLua(await nginx(), keys, { upstream: upstream.port, redisUrl: redisUrl() })],
      guards: true,
    },
  ];
  return { targets, gateway, baseline, keys, path, upstream, close: () => database.drop() };
}

type Own = { databaseUrl: string; pepper: Buffer; upstream: number };

const main = fileURLToPath(new URL('../src/main.ts', import.meta.url));
/** Node options of the image. The peers run with Node's defaults. */
const nodeOptions = ['--use-largepages=silent'];

/** The gateway as in production: fresh access, failed-attempt limiter, metering, headers, access log, metrics. */
async function startOwn(dir: string, { databaseUrl, pepper, upstream }: Own): Promise<Started> {
  const [port, operator, monitoring] = [await freePort(), await freePort(), await freePort()];
  const secret = (): string => `1:${randomBytes(32).toString('base64')}`;
  const service = `http://127.0.0.1:${upstream}`;
  return startServer([process.execPath, ...nodeOptions, '--conditions=@bv/source', main], {
    port,
    path: '/openapi.json',
    logFile: join(dir, `gateway-${port}.log`),
    env: {
      NODE_ENV: 'production',
      LOG_LEVEL: 'info',
      PORT: String(port),
      OPERATOR_PORT: String(operator),
      MONITORING_PORT: String(monitoring),
      OPERATOR_TOKEN: randomBytes(16).toString('hex'),
      DATABASE_URL: databaseUrl,
      REDIS_URL: redisUrl(),
      NATS_URL: natsUrl(),
      CATALOG_URL: service,
      RESULTS_URL: service,
      SCANS_URL: service,
      WEBHOOKS_URL: service,
      CALLER_SECRETS: testCallerSecret,
      CURSOR_KEYS: secret(),
      KEY_PEPPERS: `1:${pepper.toString('base64')}`,
      IDEMPOTENCY_KEYS: secret(),
    },
  });
}

async function startPeer(dir: string, name: string, keys: Keys, upstream: number): Promise<Started> {
  const port = await freePort();
  const script = fileURLToPath(new URL(`peers/${name}.ts`, import.meta.url));
  return startServer([process.execPath, '--conditions=@bv/source', script], {
    port,
    logFile: join(dir, `${name}.log`),
    env: {
      NODE_ENV: 'production',
      PORT: String(port),
      UPSTREAM_PORT: String(upstream),
      REDIS_URL: redisUrl(),
      KEY_MAP: keys.mapFile,
    },
  });
}
