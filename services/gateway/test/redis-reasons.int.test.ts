import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createServer, type Server } from 'node:tls';
import { eventually, freePort, startRedis, type TestServer } from '@bv/testkit';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { Redis } from 'ioredis';
import { startCounting, type Counting } from './counting.ts';

const password = 'aBjR684eranIt5Ch13YS/7aoUFioc4N5CpAzCaJdAF4g=';
const encoded = encodeURIComponent(password);
let open: TestServer;
let locked: TestServer;
let emptyCluster: TestServer;
let tls: Server;

beforeAll(async () => {
  [open, locked, emptyCluster] = await Promise.all([
    startRedis(),
    startRedis(),
    startRedis({ 'cluster-enabled': 'yes' }),
  ]);
  const client = new Redis(locked.url);
  await client.config('SET', 'requirepass', password);
  client.disconnect();
  tls = createServer(selfSigned());
  tls.on('tlsClientError', () => undefined);
  tls.listen(0, '127.0.0.1');
  await once(tls, 'listening');
});
afterAll(async () => {
  tls.close();
  await Promise.all([open, locked, emptyCluster].map((server) => server.stop()));
});

function selfSigned(): { key: Buffer; cert: Buffer } {
  const dir = mkdtempSync(join(tmpdir(), 'bv-self-signed-'));
  const words = 'req -x509 -nodes -newkey rsa:2048 -days 2 -subj /CN=localhost -keyout key.pem -out cert.pem';
  execFileSync('openssl', words.split(' '), { cwd: dir, stdio: 'pipe' });
  const made = { key: readFileSync(join(dir, 'key.pem')), cert: readFileSync(join(dir, 'cert.pem')) };
  rmSync(dir, { recursive: true });
  return made;
}

const tlsPort = (): number => (tls.address() as AddressInfo).port;

test.each<[why: string, url: () => string | Promise<string>, reason: RegExp]>([
  [
    'nobody there',
    async () => `redis://127.0.0.1:${await freePort()}`,
    /^connect ECONNREFUSED 127\.0\.0\.1:/,
  ],
  ['no such host', () => 'redis://redis.invalid', /^getaddrinfo (ENOTFOUND|EAI_AGAIN) redis\.invalid/],
  ['wrong password', () => `redis://:x${encoded}@127.0.0.1:${locked.port}`, /^WRONGPASS /],
  ['no password', () => `redis://127.0.0.1:${locked.port}`, /^NOAUTH /],
  ['unknown authority', () => `rediss://:${encoded}@127.0.0.1:${tlsPort()}`, /self-signed certificate/],
  ['plain to a TLS port', () => `redis://:${encoded}@127.0.0.1:${tlsPort()}`, /TLS|Protocol error/],
  ['TLS to a plain port', () => `rediss://:${encoded}@127.0.0.1:${open.port}`, /ETIMEDOUT|closed|SSL|TLS/],
  ['cluster without slots', () => `redis://127.0.0.1:${emptyCluster.port}`, /^CLUSTERDOWN /],
])('%s is logged once, is the cause of refused calls and shows no secret', async (_why, url, reason) => {
  const counting = startCounting(await url());
  try {
    await eventually(() => expect(counting.reasons()).toContainEqual(expect.stringMatching(reason)));
    await eventually(async () => expect(await counting.refusal()).toContain(counting.reasons()[0]));
    // Several attempts later it is still the same line.
    await eventually(() => expect(getAttempts(counting)).toBeGreaterThan(3));
    expect(counting.reasons()).toHaveLength(1);
    expect(JSON.stringify(counting.lines) + (await counting.refusal().catch(String))).not.toMatch(
      /aBjR684eran|7aoUFioc4N5/,
    );
  } finally {
    await counting.stop();
  }
});

const getAttempts = ({ attempts }: Counting): number => attempts();

test('the reason is logged again when it changes, and when Redis is back', async () => {
  const server = await startRedis();
  const counting = startCounting(server.url);
  try {
    await counting.untilCounted();
    expect(counting.lines).toEqual([
      expect.objectContaining({ msg: expect.stringContaining('no counters') }),
    ]);
    await server.stop();
    await eventually(() => expect(counting.reasons().at(-1)).toMatch(/^connect ECONNREFUSED/));
    await server.start();
    await counting.untilCounted();
    await eventually(() => expect(counting.lines.at(-1)?.['msg']).toBe('Redis can be used again'));
    await counting.redis.config('SET', 'requirepass', 'x');
    await server.kill();
    await eventually(() => expect(counting.reasons().at(-1)).toMatch(/^connect ECONNREFUSED/));
  } finally {
    await counting.stop();
    await server.stop();
  }
});
