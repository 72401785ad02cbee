import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Redis } from 'ioredis';
import { scripts } from '../src/rate-limiting/scripts.ts';
import { smallAllowance, type Keys } from './keys.ts';
import { startServer, type Started } from './processes.ts';
import type { Programs } from './programs.ts';

export type NginxOptions = { programs: Programs; dir: string; port: number };

/** One worker, like every target. As root it stays root, because it writes to folders of root. */
async function startNginx(
  { programs, dir, port }: NginxOptions,
  config: { name: string; main?: string; http: string },
): Promise<Started> {
  const prefix = join(dir, config.name);
  mkdirSync(prefix, { recursive: true });
  const file = join(prefix, 'nginx.conf');
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (name) => `${name}_temp_path ${prefix}/${name};`,
  );
  writeFileSync(
    file,
    `${config.main ?? ''}
daemon off; worker_processes 1; pid ${prefix}/nginx.pid; ${process.getuid?.() === 0 ? 'user root;' : ''}
error_log stderr warn;
events { worker_connections 4096; }
http {
  ${temporary.join(' ')}
  keepalive_requests 100000000;
  default_type application/json;
  ${config.http}
}
`,
  );
  return startServer([programs.nginx, '-p', prefix, '-e', 'stderr', '-c', file], {
    port,
    logFile: join(prefix, 'log.txt'),
    env: programs.env,
  });
}

/** The upstream of all targets. It is the cheapest one, so that the proxies dominate the measurement. */
export async function startUpstream(options: NginxOptions, body: string): Promise<Started> {
  return startNginx(options, {
    name: 'upstream',
    http: `access_log off;
  server { listen 127.0.0.1:${options.port} backlog=4096; location / { return 200 '${body}'; } }`,
  });
}

const upstreamOf = (name: string, port: number): string =>
  `upstream ${name} { server 127.0.0.1:${port}; keepalive 128; keepalive_requests 100000000; }`;
const proxiedTo = (name: string): string =>
  `proxy_pass http://${name}; proxy_http_version 1.1; proxy_set_header Connection "";`;

/** Keys and their limits. A map of 100,000 keys takes minutes to build, so it has only those in use. */
function keyMap(keys: Keys): string {
  const known = [...keys.all.slice(0, 999), ...keys.all.slice(-1)];
  const lines = new Set(known.map(({ key }) => `"Bearer ${key}" big;`));
  const small = keys.small.map(({ key }) => `"Bearer ${key}" small;`);
  return `map_hash_max_size 65536; map_hash_bucket_size 1024;
  map $http_authorization $allowed { default no; ${small.join('\n')} ${[...lines].join('\n')} }`;
}

/** The authorizer of `auth_request`: a map, without a log. */
export async function startAuthorizer(options: NginxOptions, keys: Keys): Promise<Started> {
  return startNginx(options, {
    name: 'authorizer',
    http: `access_log off;
  ${keyMap(keys)}
  server { listen 127.0.0.1:${options.port} backlog=4096; location / { if ($allowed = no) { return 401; } return 204; } }`,
  });
}

/**
 * Checks keys by `auth_request` and limits by `limit_req`. Keys with a small allowance have a separate zone.
 * Limits have maps of their own, because nginx checks them before the subrequest.
 */
export async function startNginxAuth(
  options: NginxOptions,
  keys: Keys,
  { upstream, authorizer }: { upstream: number; authorizer: Started },
): Promise<Started> {
  return startNginx(options, {
    name: 'nginx-auth',
    http: `access_log ${options.dir}/nginx-auth/access.txt combined buffer=64k flush=1s;
  ${keyMap(keys)}
  map $allowed $big_key { default ''; big $http_authorization; }
  map $allowed $small_key { default ''; small $http_authorization; }
  limit_req_zone $big_key zone=big:64m rate=1000000r/m;
  limit_req_zone $small_key zone=small:1m rate=${smallAllowance}r/m;
  limit_req_status 429;
  ${upstreamOf('service', upstream)}
  ${upstreamOf('authorizer', authorizer.port)}
  server {
    listen 127.0.0.1:${options.port} backlog=4096;
    location = /auth { internal; ${proxiedTo('authorizer')} proxy_pass_request_body off; proxy_set_header Content-Length ""; }
    location / {
      auth_request /auth;
      limit_req zone=big burst=1000000 nodelay;
      limit_req zone=small burst=${smallAllowance - 1} nodelay;
      ${proxiedTo('service')}
    }
  }`,
  });
}

/** Calls the gateway's Redis script from Lua: same counts, same headers. */
export async function startNginxLua(
  options: NginxOptions,
  keys: Keys,
  { upstream, redisUrl }: { upstream: number; redisUrl: string },
): Promise<Started> {
  const redis = new Redis(redisUrl);
  await redis.script('LOAD', scripts.chargeRequest.text);
  redis.disconnect();
  const { programs, dir } = options;
  const source = readFileSync(new URL('peers/limit.lua', import.meta.url), 'utf8');
  const { port: redisPort, pathname } = new URL(redisUrl);
  // The gateway's Redis database: its script requires the hash that the gateways have created there.
  const script = source
    .replace('{{sha}}', scripts.chargeRequest.sha)
    .replace('{{redis port}}', redisPort)
    .replace('{{redis database}}', pathname.slice(1) || '0');
  const table = [...keys.all, ...keys.small].map(({ key, perMinute }) => `${key} ${perMinute}\n`).join('');
  writeFileSync(join(dir, 'limit.lua'), script);
  writeFileSync(join(dir, 'keys.txt'), table);
  return startNginx(options, {
    name: 'nginx-lua',
    main: `load_module ${programs.nginxModules}/ndk_http_module.so;
load_module ${programs.nginxModules}/ngx_http_lua_module.so;`,
    http: `access_log ${dir}/nginx-lua/access.txt combined buffer=64k flush=1s;
  lua_package_path '${dir}/?.lua;${programs.luaPath};;';
  init_by_lua_block { require('limit').load('${dir}/keys.txt') }
  ${upstreamOf('service', upstream)}
  server {
    listen 127.0.0.1:${options.port} backlog=4096;
    location / { access_by_lua_block { require('limit').check() } ${proxiedTo('service')} }
  }`,
  });
}
