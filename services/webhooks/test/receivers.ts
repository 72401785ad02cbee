import { type AddressInfo, createServer, type Socket } from 'node:net';

export type RawReceiver = {
  url: string;
  port: number;
  connections: number;
  /** Connections that are open now. */
  open(): number;
  bytes: number;
  close(): Promise<void>;
};

/** A TCP server that calls `onData` with all data of the connection so far. Counts connections and bytes. */
export async function startRawReceiver(
  onData: (socket: Socket, head: string) => void,
  { host = '127.0.0.1', port: wantedPort = 0 } = {},
): Promise<RawReceiver> {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    receiver.connections += 1;
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
    socket.on('error', () => undefined);
    let received = '';
    socket.on('data', (chunk) => {
      receiver.bytes += chunk.length;
      received += chunk.toString();
      onData(socket, received);
    });
  });
  await new Promise<void>((resolve) => {
    server.listen(wantedPort, host, resolve);
  });
  const { port } = server.address() as AddressInfo;
  const receiver: RawReceiver = {
    url: `http://${host}:${port}`,
    port,
    connections: 0,
    open: () => sockets.size,
    bytes: 0,
    close: () =>
      new Promise((resolve) => {
        for (const socket of sockets) socket.destroy();
        server.close(() => resolve());
      }),
  };
  return receiver;
}

const isPing = (request: string): boolean => request.includes('endpoint.ping');
const isComplete = (request: string): boolean =>
  request.includes('\r\n\r\n') && request.trimEnd().endsWith('}');

/** Returns 204 for complete pings, and calls `onEvent` for complete events. */
export function startMisbehavingReceiver(onEvent: (socket: Socket) => void): Promise<RawReceiver> {
  return startRawReceiver((socket, request) => {
    if (!isComplete(request)) return;
    if (isPing(request)) socket.end('HTTP/1.1 204 No Content\r\nconnection: close\r\n\r\n');
    else onEvent(socket);
  });
}
