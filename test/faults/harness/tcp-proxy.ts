import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';

export type TcpProxy = {
  port: number;
  /** Half-open: connections stay open, new ones are accepted, and no data passes until the fault is cleared. */
  setSilent(): void;
  clearFault(): void;
  /** Resets all connections. */
  cut(): void;
  close(): Promise<void>;
};

type Pair = { client: Socket; server: Socket };

/** A proxy on loopback. `target` is called for each connection and returns the port. */
export async function startTcpProxy(target: () => number | undefined): Promise<TcpProxy> {
  const pairs = new Set<Pair>();
  let isSilent = false;

  const open = (client: Socket): void => {
    const port = target();
    if (port === undefined) return void client.resetAndDestroy();
    const server = connect({ port, host: '127.0.0.1', noDelay: true });
    const pair = { client, server };
    pairs.add(pair);
    for (const [from, to] of [
      [client, server],
      [server, client],
    ] as const) {
      from.on('data', (piece: Buffer) => void (to.destroyed || to.write(piece)));
      from.on('end', () => to.end());
      from.on('error', () => to.resetAndDestroy());
      from.on('close', () => {
        pairs.delete(pair);
        to.destroy();
      });
      if (isSilent) from.pause();
    }
  };
  const listener = createServer({ noDelay: true, allowHalfOpen: true }, open);
  listener.listen(0, '127.0.0.1');
  await once(listener, 'listening');

  const each = (change: (socket: Socket) => unknown): void => {
    for (const { client, server } of pairs) {
      change(client);
      change(server);
    }
  };
  const cut = (): void => {
    each((socket) => socket.resetAndDestroy());
    pairs.clear();
  };
  return {
    port: (listener.address() as AddressInfo).port,
    setSilent: () => {
      isSilent = true;
      each((socket) => socket.pause());
    },
    clearFault: () => {
      isSilent = false;
      each((socket) => socket.resume());
    },
    cut,
    close: async () => {
      const closed = once(listener, 'close');
      listener.close();
      cut();
      await closed;
    },
  };
}
