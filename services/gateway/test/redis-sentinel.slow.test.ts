import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { eventually, freePort, startRedis, type TestServer } from '@bv/testkit';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { Redis } from 'ioredis';
import { withinMinute } from './client.ts';
import { startGateway } from './gateway.ts';

const password = 'password-of-redis';
const sentinelPassword = 'password-of-sentinels';
const sentinels: ChildProcess[] = [];
let dir: string;
let servers: [TestServer, TestServer];
let ports: number[];

/** A primary, its replica, and three sentinels that watch them, each group with its own password. */
beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'bv-sentinel-'));
  servers = await Promise.all([startRedis({ masterauth: password }), startRedis({ masterauth: password })]);
  ports = await Promise.all([freePort(), freePort(), freePort()]);
  const clients = servers.map(({ port }) => connect(port));
  await clients[1]?.call('REPLICAOF', '127.0.0.1', servers[0].port);
  for (const client of clients) await client.config('SET', 'requirepass', password);
  await eventually(async () => expect(await clients[1]?.info('replication')).toContain('link_status:up'));
  for (const client of clients) client.disconnect();
  for (const port of ports) {
    const file = join(dir, `${port}.conf`);
    await writeFile(
      file,
      `port ${port}
       dir ${dir}
       requirepass ${sentinelPassword}
       sentinel sentinel-pass ${sentinelPassword}
       sentinel monitor counters 127.0.0.1 ${servers[0].port} 2
       sentinel auth-pass counters ${password}
       sentinel down-after-milliseconds counters 1000
       sentinel failover-timeout counters 5000`,
    );
    sentinels.push(spawn('redis-server', [file, '--sentinel'], { stdio: 'ignore' }));
  }
  const first = connect(ports[0] ?? 0, sentinelPassword);
  await eventually(async () => expect(await first.call('SENTINEL', 'CKQUORUM', 'counters')).toMatch(/^OK 3/));
  await eventually(async () => expect(await first.call('SENTINEL', 'REPLICAS', 'counters')).toHaveLength(1), {
    timeoutMs: 20_000,
  });
  first.disconnect();
});
afterAll(async () => {
  for (const each of sentinels) each.kill('SIGKILL');
  await Promise.all(servers.map((server) => server.kill()));
  await rm(dir, { recursive: true });
});

function connect(port: number, secret = ''): Redis {
  const client = new Redis({ port, password: secret });
  client.on('error', () => undefined);
  return client;
}

test('after a failover the gateway counts on with the counters of the replica, although a sentinel is gone', async () => {
  const [gone] = sentinels;
  gone?.kill('SIGKILL');
  if (gone !== undefined) await once(gone, 'exit');
  const gateway = await startGateway({
    redis: `redis://:${password}@unused.invalid/3`,
    env: {
      REDIS_SENTINELS: ports.map((port) => `redis://:${sentinelPassword}@127.0.0.1:${port}`).join(','),
      REDIS_MASTER_NAME: 'counters',
    },
  });
  try {
    const { key } = await gateway.customer({ per_minute: 100 });
    const ask = async (): Promise<number> => {
      const { status, headers } = await gateway.call({ path: '/v1/orgs', key });
      expect(status).toBe(200);
      return Number(headers['x-ratelimit-remaining']);
    };
    await withinMinute(30_000);
    await eventually(ask);
    const remaining = await ask();
    await servers[0].kill();
    await expect(ask()).rejects.toThrow();
    let after = 0;
    await eventually(async () => (after = await ask()), { timeoutMs: 25_000 });
    expect(after).toBe(remaining - 1);
  } finally {
    await gateway.stop();
  }
});
