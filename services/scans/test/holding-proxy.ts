import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

export type HoldingProxy = {
  url: string;
  /** Keeps connections open and passes nothing to the server, as a pooler does that waits for a primary. */
  hold(): void;
  /** Passes on what the connections have sent whose data includes the text; they are held no more. */
  release(text?: string): void;
  close(): Promise<void>;
};

type Connection = { server: Socket; isHeld: boolean; waiting: Buffer };

/** A TCP proxy in front of Postgres. */
export async function startHoldingProxy(target: string): Promise<HoldingProxy> {
  const { hostname, port } = new URL(target);
  const connections = new Set<Connection>();
  let isHolding = false;
  const listener = createServer({ noDelay: true }, (client) => {
    const server = connect({ host: hostname, port: Number(port), noDelay: true });
    const connection = { server, isHeld: isHolding, waiting: Buffer.alloc(0) };
    connections.add(connection);
    client.on('data', (data: Buffer) => {
      if (connection.isHeld) connection.waiting = Buffer.concat([connection.waiting, data]);
      else server.write(data);
    });
    server.on('data', (data) => client.write(data));
    for (const socket of [client, server]) {
      socket.on('error', () => undefined);
      socket.on('close', () => {
        connections.delete(connection);
        client.destroy();
        server.destroy();
      });
    }
  });
  listener.listen(0, '127.0.0.1');
  await once(listener, 'listening');
  const url = new URL(target);
  url.host = `127.0.0.1:${(listener.address() as AddressInfo).port}`;
  return {
    url: url.href,
    hold: () => {
      isHolding = true;
      for (const connection of connections) connection.isHeld = true;
    },
    release: (text = '') => {
      if (text === '') isHolding = false;
      for (const connection of connections) {
        if (!connection.waiting.includes(text)) continue;
        connection.server.write(connection.waiting);
        Object.assign(connection, { isHeld: false, waiting: Buffer.alloc(0) });
      }
    },
    close: async () => {
      for (const { server } of connections) server.destroy();
      await new Promise((resolve) => listener.close(resolve));
    },
  };
}
