import { createHmac, randomBytes } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { buildGoTool } from '@bv/measure';
import { smallAllowance } from './keys.ts';
import { startServer, type Started } from './processes.ts';

/** The newest release of KrakenD CE on the Go module proxy. */
const version = '1.4.1';
const program = fileURLToPath(new URL(`../../../.tools/krakend/krakend-${version}`, import.meta.url));
const base64url = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');
/** The same for every token: KrakenD distinguishes clients by the whole token. */
const exp = Math.floor(Date.now() / 1_000) + 365 * 24 * 60 * 60;

export const findOrBuildKrakend = (): Promise<void> =>
  buildGoTool({
    name: `KrakenD ${version}`,
    target: 'github.com/devopsfaith/krakend-ce/cmd/krakend-ce',
    moduleDir: fileURLToPath(new URL('krakend/', import.meta.url)),
    file: program,
  });

export type Krakend = {
  started: Started;
  /** KrakenD accepts no opaque keys, so the key is inside a signed token. */
  present: (key: string) => string;
  /** The limit belongs to the path, so keys with a small allowance have a separate path. */
  smallPath: string;
};

/**
 * Checks the token's signature with a local secret, and limits each client by a token bucket. KrakenD CE has neither a
 * key map nor a limit by clock minute. Like the other targets it has one processor.
 */
export async function startKrakend(
  { dir, port }: { dir: string; port: number },
  { path, plenty, upstream }: { path: string; plenty: number; upstream: number },
): Promise<Krakend> {
  const folder = join(dir, 'krakend');
  mkdirSync(folder, { recursive: true });
  const secret = randomBytes(32);
  const jwks = join(folder, 'jwks.json');
  const key = { kty: 'oct', alg: 'HS256', kid: 'bench', k: secret.toString('base64url') };
  writeFileSync(jwks, JSON.stringify({ keys: [key] }));
  const smallPath = `/small${path}`;
  const endpoint = (at: string, perSecond: number): object => ({
    endpoint: at,
    method: 'GET',
    output_encoding: 'no-op',
    extra_config: {
      'github.com/devopsfaith/krakend-jose/validator': {
        alg: 'HS256',
        jwk_local_path: jwks,
        disable_jwk_security: true,
      },
      'github.com/devopsfaith/krakend-ratelimit/juju/router': {
        clientMaxRate: perSecond,
        strategy: 'header',
        key: 'Authorization',
      },
    },
    backend: [{ url_pattern: path, host: [`http://127.0.0.1:${upstream}`], encoding: 'no-op' }],
  });
  const file = join(folder, 'krakend.json');
  const settings = {
    version: 2,
    port,
    timeout: '30s',
    max_idle_connections: 256,
    max_idle_connections_per_host: 128,
    endpoints: [endpoint(path, plenty), endpoint(smallPath, smallAllowance)],
  };
  writeFileSync(file, JSON.stringify(settings));
  const started = await startServer([program, 'run', '--config', file], {
    port,
    logFile: join(folder, 'log.txt'),
    env: { GOMAXPROCS: '1', USAGE_DISABLE: '1' },
  });
  return { started, present: (text) => tokenOf(text, secret), smallPath };
}

function tokenOf(subject: string, secret: Buffer): string {
  const signed = `${base64url({ alg: 'HS256', typ: 'JWT', kid: 'bench' })}.${base64url({ sub: subject, exp })}`;
  return `${signed}.${createHmac('sha256', secret).update(signed).digest('base64url')}`;
}
