import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';

/** Network fault between two processes. Empty: the proxy only forwards. */
type Fault = {
  /** Delay of each chunk. The order is kept. */
  delayMs?: number;
  /** Maximum bytes per segment. */
  sliceBytes?: number;
  /** Half-open: connections stay open, new ones are accepted, and no data passes until the fault is cleared. */
  silent?: boolean;
  /** New connections are reset. */
  refuse?: boolean;
  /** Delay until the end of one side is forwarded to the other. */
  closeDelayMs?: number;
};

export type TcpProxy = {
  port: number;
  set(fault: Fault): void;
  clearFault(): void;
  /** Resets all connections. */
  cut(): void;
  connections(): number;
  close(): Promise<void>;
};

type Pair = { client: Socket; server: Socket };

/** A proxy on loopback. `target` is called for each connection and returns the port. */
export async function startTcpProxy(target: () => number | undefined): Promise<TcpProxy> {
  const pairs = new Set<Pair>();
  let fault: Fault = {};

  const open = (client: Socket): void => {
    const port = target();
    if (fault.refuse === true || port === undefined) return void client.resetAndDestroy();
    const server = connect({ port, host: '127.0.0.1', noDelay: true });
    const pair = { client, server };
    pairs.add(pair);
    for (const [from, to] of [
      [client, server],
      [server, client],
    ] as const) {
      from.on('data', (piece: Buffer) => pass(piece, to, fault));
      from.on('end', () => later(fault, 'closeDelayMs', () => to.end()));
      from.on('error', () => to.resetAndDestroy());
      from.on('close', () => {
        pairs.delete(pair);
        later(fault, 'closeDelayMs', () => to.destroy());
      });
      if (fault.silent === true) from.pause();
    }
  };
  const listener = createServer({ noDelay: true, allowHalfOpen: true }, open);
  listener.listen(0, '127.0.0.1');
  await once(listener, 'listening');

  const flow = (paused: boolean): void => {
    for (const { client, server } of pairs) {
      for (const socket of [client, server])
        if (paused) socket.pause();
        else socket.resume();
    }
  };
  const cut = (): void => {
    for (const { client, server } of pairs) {
      client.resetAndDestroy();
      server.resetAndDestroy();
    }
    pairs.clear();
  };
  return {
    port: (listener.address() as AddressInfo).port,
    set: (next) => {
      fault = next;
      flow(next.silent === true);
    },
    clearFault: () => {
      fault = {};
      flow(false);
    },
    cut,
    connections: () => pairs.size,
    close: async () => {
      const closed = once(listener, 'close');
      listener.close();
      cut();
      await closed;
    },
  };
}

function later(fault: Fault, kind: 'delayMs' | 'closeDelayMs', action: () => void): void {
  const ms = fault[kind] ?? 0;
  if (ms === 0) action();
  else setTimeout(action, ms);
}

function pass(piece: Buffer, to: Socket, fault: Fault): void {
  // Timers of the same length fire in the order they were set, so chunks stay in order.
  later(fault, 'delayMs', () => {
    if (to.destroyed) return;
    const step = fault.sliceBytes ?? piece.length;
    for (let at = 0; at < piece.length; at += step) to.write(piece.subarray(at, at + step));
  });
}
