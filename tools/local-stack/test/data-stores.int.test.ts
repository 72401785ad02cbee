import { once } from 'node:events';
import { createServer } from 'node:net';
import { chmod, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { freePort } from '../src/processes/ports.ts';
import pg from 'pg';
import { readStackOptions, type StackOptions } from '../src/config.ts';
import { openDataDir } from '../src/data-dir.ts';
import type { DataServer, DataStoreId } from '../src/datastores/data-server.ts';
import { openDataStores } from '../src/datastores/open-data-stores.ts';
import { planPorts } from '../src/port-plan.ts';
import { afterwards, createTestReporter, scratchDir } from './scratch.ts';

type Opened = {
  urls: Record<DataStoreId, string>;
  lines: string[];
  stop: () => Promise<void>;
};

type Choice = { postgresDir: string };

async function open(dir: string, changes: Partial<StackOptions> = {}, password = 'secret'): Promise<Opened> {
  const { report, lines } = createTestReporter();
  const servers: DataServer[] = [];
  const stop = async (): Promise<void> => {
    await Promise.all(servers.map((server) => server.stop()));
  };
  afterwards(stop);
  const urls = await openDataStores({
    options: { ...readStackOptions({ PATH: process.env['PATH'] }), engines: [], ...changes },
    dataDir: openDataDir(dir),
    ports: await planPorts({ free: true, report, unused: [] }),
    superuserPassword: password,
    report,
    onStarted: (server) => servers.push(server),
  });
  return { urls, lines, stop };
}

async function query(url: string, text: string): Promise<unknown[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query<Record<string, unknown>>(text)).rows;
  } finally {
    await client.end();
  }
}

/** A stub of a container engine that records every command and runs the given script. */
async function fakeEngine(script: string): Promise<{ command: string; calls: () => Promise<string[]> }> {
  const dir = await scratchDir();
  const command = join(dir, 'docker');
  await writeFile(command, `#!/bin/sh\necho "$@" >> ${dir}/calls\n${script}\n`);
  await chmod(command, 0o755);
  const calls = async (): Promise<string[]> =>
    (await readFile(join(dir, 'calls'), 'utf8')).trim().split('\n');
  return { command, calls };
}

describe('data stores', () => {
  it('from binaries respond, keep their data, and come from the same source again', async () => {
    const dir = await scratchDir();
    const first = await open(dir);
    expect(first.lines[0]).toMatch(
      /^data stores: binaries on this machine: PostgreSQL 1\d\.\d+, Redis \d.*, NATS \d/,
    );
    await query(first.urls.postgres, 'CREATE TABLE kept (id int)');
    await first.stop();
    const second = await open(dir);
    expect(second.lines[0]).toContain('as before');
    expect(await query(second.urls.postgres, 'SELECT count(*)::int AS rows FROM kept')).toEqual([
      { rows: 0 },
    ]);
  });

  it('report that the secrets do not match the data', async () => {
    const dir = await scratchDir();
    const first = await open(dir);
    await first.stop();
    await expect(open(dir, {}, 'another')).rejects.toThrow("rejects the superuser's password");
  });

  it('reject data of a PostgreSQL version that this machine does not have', async () => {
    const dir = await scratchDir();
    await mkdir(join(dir, 'postgres'));
    await writeFile(join(dir, 'postgres', 'PG_VERSION'), '9.6\n');
    await expect(open(dir)).rejects.toThrow(/was created by PostgreSQL 9\.6, but this machine has 1\d/);
  });

  it('are stored where the user of PostgreSQL can reach them', async () => {
    if (process.getuid?.() !== 0) return;
    const closed = await scratchDir();
    await chmod(closed, 0o700);
    const dir = join(closed, 'data');
    const { lines, stop } = await open(dir);
    const choice = JSON.parse(await readFile(join(dir, 'datastores.json'), 'utf8')) as Choice;
    await stop();
    await rm(dirname(choice.postgresDir), { recursive: true });
    expect(choice.postgresDir).toMatch(/^\/var\/tmp\/brand-visibility-/);
    expect(lines).toContain(`PostgreSQL's user cannot reach ${dir}: its data goes to ${choice.postgresDir}`);
  });

  it('that are configured by URL are used, or fail the start', async () => {
    const listening = createServer().listen(0, '127.0.0.1');
    await once(listening, 'listening');
    afterwards(async () => listening.close());
    const port = (listening.address() as { port: number }).port;
    const redis = `redis://:secret@127.0.0.1:${port}`;
    const { urls, lines } = await open(await scratchDir(), { externalUrls: { redis } });
    expect(urls.redis).toBe(redis);
    expect(lines[0]).toBe(`data store: Redis at redis://127.0.0.1:${port}, as configured`);
    await expect(open(await scratchDir(), { externalUrls: { nats: 'localhost' } })).rejects.toThrow(
      'NATS_URL: expected a URL that begins with nats:// or tls://',
    );
    const dead = `nats://127.0.0.1:${await freePort()}`;
    await expect(open(await scratchDir(), { externalUrls: { nats: dead } })).rejects.toThrow(
      `NATS at ${dead} (NATS_URL) did not respond within 10 s`,
    );
  });
});

describe('container engines', () => {
  it('that respond are preferred, and their containers are stopped by name', async () => {
    // A stub of the container: `run` starts a server that responds like NATS on the published port.
    const { command, calls } = await fakeEngine(`
      [ "$1" = stop ] && kill $(cat "$0.pid")
      [ "$1" = run ] || exit 0
      echo $$ > "$0.pid"
      port=$(echo "$@" | sed 's/.*127.0.0.1:\\([0-9]*\\):.*/\\1/')
      exec ${process.execPath} -e "require('node:net').createServer((s) => s.write('INFO ')).listen($port, '127.0.0.1')"`);
    const { urls: stores, stop: stopStores } = await open(await scratchDir());
    const dir = await scratchDir();
    const externalUrls = { postgres: stores.postgres, redis: stores.redis };
    const { lines, urls, stop } = await open(dir, { engines: [command], externalUrls });
    expect(lines).toContain(`data stores: containers by ${command}: nats:2`);
    expect(urls.nats).toMatch(/^nats:\/\/127\.0\.0\.1:\d+$/);
    const started = (await calls()).find((call) => call.startsWith('run '));
    expect(started).toMatch(
      /^run --rm --name bv-nats-\w+ --publish 127\.0\.0\.1:\d+:4222 --volume \S+:\/data nats:2 --addr/,
    );
    await stop();
    await stopStores();
    expect((await calls()).at(-1)).toMatch(/^stop --time 10 bv-nats-\w+$/);
  }, 180_000);

  it('that hold the data must respond', async () => {
    const dir = await scratchDir();
    await writeFile(join(dir, 'datastores.json'), JSON.stringify({ source: 'docker-that-is-gone' }));
    await expect(open(dir)).rejects.toThrow('in containers of docker-that-is-gone');
  });
});
