import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { jetstreamManager } from '@nats-io/jetstream';
import type { StreamInfo } from '@nats-io/jetstream';
import { nkeys } from '@nats-io/nats-core';
import { transaction } from '@bv/postgres';
import { eventually, freePort, startNats } from '@bv/testkit';
import type { TestServer } from '@bv/testkit';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import {
  brandChanged,
  connectNats,
  flushOutbox,
  publishEvents,
  startRelay,
  streamName,
} from '../src/index.ts';
import type { Nats } from '../src/index.ts';
import { ensureStream } from '../src/nats/stream.ts';
import { brandData, log, metrics, openDatabase } from './service.ts';
import { countMessages } from './stream.ts';

let dir: string;
let servers: Map<string, TestServer>;

/** Three servers that accept only the NKey of `seed`. */
beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'bv-nats-'));
  const user = nkeys.createUser();
  await writeFile(join(dir, 'seed'), `${Buffer.from(user.getSeed()).toString()}\n`);
  await writeFile(
    join(dir, 'nats.conf'),
    `authorization { users = [{ nkey: ${user.getPublicKey()} }] }\ncluster { name: test }\n`,
  );
  const ports = await Promise.all([freePort(), freePort(), freePort()]);
  const routes = ports.map((port) => `nats://127.0.0.1:${port}`).join(',');
  const config = join(dir, 'nats.conf');
  const start = async (port: number): Promise<[string, TestServer]> => {
    const cluster = `nats://127.0.0.1:${port}`;
    return [cluster, await startNats({ config, server_name: cluster, cluster, routes })];
  };
  servers = new Map(await Promise.all(ports.map(start)));
});
afterAll(async () => {
  await Promise.all([...servers.values()].map((server) => server.kill()));
  await rm(dir, { recursive: true });
});

const connect = (streamReplicas?: number): Promise<Nats> =>
  connectNats({
    url: [...servers.values()].map(({ url }) => url).join(','),
    credsFile: join(dir, 'seed'),
    streamReplicas,
    name: 'test',
    log,
    deadlineMs: 10_000,
  });

async function streamInfo(nats: Nats): Promise<StreamInfo> {
  const { streams } = await jetstreamManager(nats.connection);
  return streams.info(streamName);
}

test('an existing stream gets its replicas, and then takes events although its leader has died', async () => {
  const first = await connect();
  const waiting = { timeoutMs: 60_000 };
  await eventually(() => ensureStream(first), waiting);
  expect((await streamInfo(first)).config.num_replicas).toBe(1);
  await first.close();

  const nats = await connect(3);
  await ensureStream(nats);
  await eventually(async () => {
    const { config, cluster } = await streamInfo(nats);
    expect([config.num_replicas, cluster?.replicas?.filter(({ current }) => current).length]).toEqual([3, 2]);
  }, waiting);
  const leader = (await streamInfo(nats)).cluster?.leader ?? '';
  const db = await openDatabase();
  const relay = await startRelay({ pool: db.pool, nats, service: 'evtest', log, metrics });
  try {
    await servers.get(leader)?.kill();
    const data = brandData();
    const ids = await transaction(db.pool, (tx) =>
      publishEvents(tx, brandChanged, [{ aggregateId: data.id, version: 1, data }]),
    );
    await flushOutbox({ pool: db.pool, ids, timeoutMs: 60_000 });
    expect(await countMessages(nats)).toBe(1);
  } finally {
    await relay.stop();
    await db.drop();
    await nats.close();
  }
});

test('a credentials file that cannot be read for a while does not end the connection', async () => {
  const nats = await connect();
  const seed = await readFile(join(dir, 'seed'));
  try {
    await writeFile(join(dir, 'seed'), 'half written');
    await nats.connection.reconnect();
    await eventually(() => expect(nats.isConnected()).toBe(false));
    await writeFile(join(dir, 'seed'), seed);
    await eventually(() => expect(nats.isConnected()).toBe(true), { timeoutMs: 30_000 });
  } finally {
    await writeFile(join(dir, 'seed'), seed);
    await nats.close();
  }
});
