import { createServer, type Server } from 'node:net';
import { once } from 'node:events';
import { createLogger } from '@bv/telemetry';
import { eventually, freePort, startNats } from '@bv/testkit';
import { expect, test } from '@jest/globals';
import { connectNats } from '../src/nats/connect.ts';

function captured() {
  const lines: { err?: { message: string }; msg: string }[] = [];
  const destination = { write: (text: string) => void lines.push(JSON.parse(text)) };
  return { lines, log: createLogger({ service: 'catalog', level: 'info', destination }) };
}

/** Refuses every login, as a server does whose password has changed. */
async function refuseLogins(port: number): Promise<Server & { logins: number }> {
  const server = Object.assign(createServer(), { logins: 0 });
  server.on('connection', (socket) => {
    socket.on('error', () => undefined);
    socket.write('INFO {"server_id":"x","version":"2.10.0","max_payload":1048576,"auth_required":true}\r\n');
    socket.once('data', () => {
      server.logins += 1;
      socket.end("-ERR 'Authorization Violation'\r\n");
    });
  });
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  return server;
}

test('the reason why NATS cannot be reached is logged when it changes, at the start', async () => {
  const { lines, log } = captured();
  const port = await freePort();
  const stopping = new AbortController();
  const url = `nats://user:sEcretPassword@127.0.0.1:${port}`;
  const connecting = connectNats({ url, name: 'x', log, signal: stopping.signal });
  connecting.catch(() => undefined);
  await eventually(() => expect(lines).toHaveLength(1));
  const server = await refuseLogins(port);
  await eventually(() => expect(server.logins).toBeGreaterThan(2), { timeoutMs: 20_000 });
  stopping.abort();
  await expect(connecting).rejects.toThrow();
  expect(lines.map(({ err }) => err?.message)).toEqual([
    expect.stringMatching(/refused/i),
    expect.stringMatching(/authorization/i),
  ]);
  expect(JSON.stringify(lines)).not.toContain('sEcretPassword');
  server.close();
});

test('and once NATS is lost, once for all attempts', async () => {
  const { lines, log } = captured();
  const real = await startNats();
  const nats = await connectNats({ url: real.url, name: 'x', log });
  await real.kill();
  const server = await refuseLogins(real.port);
  await eventually(() => expect(server.logins).toBeGreaterThan(3), { timeoutMs: 20_000 });
  expect(lines.filter(({ err }) => /authorization/i.test(err?.message ?? ''))).toHaveLength(1);
  server.close();
  await nats.close();
});
