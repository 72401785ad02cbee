import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { checkSlowClients, type SlowClient } from '../checkers/slow-clients.ts';
import { createCustomer, observe, type Observation } from '../harness/client.ts';
import type { Context, Outcome, Scenario } from '../harness/scenario.ts';
import type { System } from '../harness/system.ts';

const idleCount = 10_000;
const dripCount = 150;
const watchMs = 25_000;

type Open = SlowClient & { socket: Socket };

/** Each thousand clients use a separate loopback address, so that ports do not run out. */
function open(system: System, kind: SlowClient['kind'], index: number): Open {
  const { port } = system.stack.ports.gateway;
  const localAddress = `127.0.1.${1 + Math.floor(index / 1_000)}`;
  const socket = connect({ port, host: '127.0.0.1', localAddress });
  const client: Open = { kind, socket, openedAt: performance.now(), closedAt: null, received: '' };
  socket.on('data', (data: Buffer) => (client.received += data.toString('latin1')));
  socket.on('error', () => undefined);
  socket.on('close', () => (client.closedAt = performance.now()));
  return client;
}

async function openIdle(system: System): Promise<Open[]> {
  const clients: Open[] = [];
  for (let index = 0; index < idleCount; index += 1) {
    clients.push(open(system, 'idle', index));
    if (index % 250 === 249) await sleep(20);
  }
  return clients;
}

/** Clients that send one byte at a time: of their headers, or of a body that never ends. */
function openDrips(system: System, key: string, orgId: string, stop: AbortSignal): Open[] {
  return Array.from({ length: 2 * dripCount }, (_, index) => {
    const kind = index % 2 === 0 ? 'body' : 'headers';
    const client = open(system, kind, index);
    const begin = `POST /v1/orgs/${orgId}/properties HTTP/1.1\r\nHost: x\r\n`;
    const rest = `Authorization: Bearer ${key}\r\nContent-Type: application/json\r\nContent-Length: 100000\r\n\r\n{`;
    client.socket.write(kind === 'body' ? begin + rest : begin);
    const timer = setInterval(() => {
      if (stop.aborted || client.socket.destroyed) clearInterval(timer);
      else client.socket.write(kind === 'body' ? ' ' : 'X');
    }, 700);
    return client;
  });
}

async function readResidentMemory(system: System): Promise<number> {
  const planned = system.stack.plan.find(({ name }) => name === 'gateway');
  const metrics = await fetch(new URL('/metrics', planned?.readyUrl)).then((response) => response.text());
  return Number(/^process_resident_memory_bytes(?:\{[^}]*\})? (\S+)/m.exec(metrics)?.[1]);
}

async function run({ system, report }: Context): Promise<Outcome> {
  const { key, orgId } = await createCustomer(system);
  const stop = new AbortController();
  const drips = openDrips(system, key, orgId, stop.signal);
  const idle = await openIdle(system);
  report(`${idle.length} idle sockets, ${drips.length} slow senders`);
  const history: Observation[] = [];
  const until = performance.now() + watchMs;
  while (performance.now() < until) {
    await observe(history, 'read', () => system.call('GET', `/orgs/${orgId}`, { key }));
    await sleep(50);
  }
  const memory = await readResidentMemory(system);
  stop.abort();
  const clients = [...idle, ...drips];
  const stillOpen = clients.filter(({ closedAt }) => closedAt === null).length;
  const violations = checkSlowClients(clients, history, performance.now());
  for (const { socket } of clients) socket.destroy();
  report(
    `${history.length} requests served meanwhile, ${stillOpen} sockets still open, gateway at ${(memory / 2 ** 20).toFixed(0)} MiB`,
  );
  return {
    violations,
    summary: `${idle.length} idle sockets, ${drips.length} slow senders, ${history.length} concurrent requests`,
  };
}

export const slowClients: Scenario = {
  name: 'slow-clients',
  guarantee:
    '10,000 idle sockets and slow requests do not delay other clients; late requests are closed without a byte',
  run,
};
