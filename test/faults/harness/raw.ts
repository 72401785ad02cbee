import { connect } from 'node:net';

export type RawResponse = {
  /** All received bytes as Latin-1. */
  text: string;
  /** The status of each response. */
  statuses: number[];
  closed: boolean;
  ms: number;
};

type RawOptions = { waitMs?: number; localAddress?: string };

/** Sends bytes unchanged, optionally in pieces, and reads until the server closes or sends nothing more. */
export async function sendRaw(
  port: number,
  pieces: string | readonly string[],
  { waitMs = 1_500, localAddress = '127.0.0.1' }: RawOptions = {},
): Promise<RawResponse> {
  const started = performance.now();
  const socket = connect({ port, host: '127.0.0.1', localAddress });
  const received: Buffer[] = [];
  let closed = false;
  const over = new Promise<void>((resolve) => {
    let timer = setTimeout(resolve, waitMs);
    socket.on('data', (chunk: Buffer) => {
      received.push(chunk);
      clearTimeout(timer);
      timer = setTimeout(resolve, Math.min(waitMs, 250));
    });
    socket.once('close', () => {
      closed = true;
      clearTimeout(timer);
      resolve();
    });
  });
  socket.on('error', () => undefined);
  for (const piece of typeof pieces === 'string' ? [pieces] : pieces) {
    socket.write(piece, 'latin1');
    if (typeof pieces !== 'string') await new Promise((resolve) => setTimeout(resolve, 20));
  }
  await over;
  socket.destroy();
  const text = Buffer.concat(received).toString('latin1');
  const statuses = [...text.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map(([, status]) => Number(status));
  return { text, statuses, closed, ms: performance.now() - started };
}
