import { describe, expect, it } from '@jest/globals';
import { connect } from 'node:net';
import { natsUrl, redisUrl, startNats, startPostgres, startRedis, type TestServer } from '@bv/testkit';

async function connects(url: string): Promise<boolean> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve) => {
    const socket = connect({ host: hostname, port: Number(port) });
    socket.once('connect', () => resolve(true)).once('error', () => resolve(false));
    socket.once('connect', () => socket.destroy());
  });
}

describe('the data stores of the run', () => {
  it('accept connections on loopback', async () => {
    expect(await connects(natsUrl())).toBe(true);
    expect(await connects(redisUrl())).toBe(true);
  });

  it('give each test file a separate logical Redis database', () => {
    expect(new URL(redisUrl()).pathname).toMatch(/^\/[1-9]\d*$/);
    expect(redisUrl()).toBe(redisUrl());
  });
});

describe.each<[string, () => Promise<TestServer>]>([
  ['nats', startNats],
  ['redis', startRedis],
  ['postgres', startPostgres],
])('a separate %s', (_name, start) => {
  it('can be killed and started again on the same port', async () => {
    const server = await start();
    const { url } = server;
    const firstPid = server.pid();
    await server.kill();
    expect(await connects(url)).toBe(false);
    await server.start();
    expect(server.url).toBe(url);
    expect(server.pid()).not.toBe(firstPid);
    expect(await connects(url)).toBe(true);
    await server.stop();
    expect(await connects(url)).toBe(false);
  });
});
