import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';

export type SwitchProxy = {
  port: number;
  /** Sets the target of new connections. Open connections keep theirs. */
  leadTo(port: number): void;
  /** Number of accepted connections. */
  connections(): number;
  close(): Promise<void>;
};

/** A proxy with one address whose target can change, as in a failover. */
export async function startSwitchProxy(first: number): Promise<SwitchProxy> {
  let target = first;
  let connections = 0;
  const sockets = new Set<Socket>();
  const listener = createServer((client) => {
    connections += 1;
    const server = connect(target, '127.0.0.1');
    for (const [one, other] of [
      [client, server],
      [server, client],
    ] as const) {
      sockets.add(one);
      one.on('error', () => other.destroy()).on('close', () => other.destroy());
      one.pipe(other);
    }
  });
  listener.listen(0, '127.0.0.1');
  await once(listener, 'listening');
  return {
    port: (listener.address() as AddressInfo).port,
    leadTo: (port) => {
      target = port;
    },
    connections: () => connections,
    close: async () => {
      const closed = once(listener, 'close');
      listener.close();
      for (const socket of sockets) socket.destroy();
      await closed;
    },
  };
}
