import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { createPool } from '@bv/postgres';
import { createLogger, createMetrics } from '@bv/telemetry';
import { expect, test } from '@jest/globals';
import { waitForDatabase } from './open-service.ts';

async function until(check: () => boolean): Promise<void> {
  for (const deadline = Date.now() + 15_000; !check() && Date.now() < deadline;) await sleep(20);
  expect(check()).toBe(true);
}

test('why the database is not available is logged when it changes', async () => {
  const lines: string[] = [];
  const destination = { write: (line: string) => void lines.push(line) };
  const log = createLogger({ service: 'test', level: 'info', destination });
  let connections = 0;
  const server = createServer((socket) => {
    connections += 1;
    socket.on('error', () => undefined).destroy();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const connectionString = `postgres://x:x@127.0.0.1:${port}/x`;
  const pool = createPool({ connectionString, applicationName: 'test', log, metrics: createMetrics('test') });
  const stop = new AbortController();
  const waiting = waitForDatabase(pool, log, stop.signal).catch((error: unknown) => error);
  try {
    await until(() => connections > 2);
    server.close();
    await until(() => lines.join('').includes('ECONNREFUSED'));
    expect(lines[0]).toMatch(/ECONNRESET|terminated/);
    expect(lines).toHaveLength(2);
  } finally {
    stop.abort();
    await waiting;
    await pool.end();
  }
});
