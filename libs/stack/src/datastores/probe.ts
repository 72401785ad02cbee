import { connect } from 'node:net';

/** Sends some bytes to a local port and tells whether the answer starts as expected. */
export async function answers(
  port: number,
  send: string,
  expected: string,
  timeoutMs = 1_000,
): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ port, host: '127.0.0.1' });
    let received = '';
    const finish = (result: boolean): void => {
      socket.destroy();
      resolve(result);
    };
    socket.setTimeout(timeoutMs, () => finish(false));
    socket.once('error', () => finish(false));
    socket.once('close', () => finish(false));
    socket.once('connect', () => {
      if (send !== '') socket.write(send);
    });
    socket.on('data', (chunk) => {
      received += chunk.toString('latin1');
      if (received.length >= expected.length) finish(received.startsWith(expected));
    });
  });
}
