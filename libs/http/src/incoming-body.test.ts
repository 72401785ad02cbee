import { createServer } from 'node:http';
import { connect, type AddressInfo } from 'node:net';
import { expect, test } from '@jest/globals';
import { IncomingBody } from './incoming-body.ts';

/** Sends chunks to a server that reads the body only when all of it has arrived; returns the growth of its memory. */
async function receive(chunk: string, count: number): Promise<{ grownBytes: number; length: number }> {
  const heldBytes = (): number => process.memoryUsage().heapUsed + process.memoryUsage().external;
  let before = 0;
  const result = new Promise<{ grownBytes: number; length: number }>((resolve, reject) => {
    const server = createServer((request, response) => {
      before = heldBytes();
      const body = new IncomingBody(request, 1_048_576);
      request.once('end', () => {
        const grownBytes = heldBytes() - before;
        body.read().then(({ length }) => resolve({ grownBytes, length }), reject);
        response.end();
        server.close();
      });
    });
    server.listen(0, '127.0.0.1', () => {
      const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
      socket.on('error', reject);
      socket.write('POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\nConnection: close\r\n\r\n');
      const piece = `${chunk.length.toString(16)}\r\n${chunk}\r\n`;
      socket.end(Buffer.from(`${piece.repeat(count)}0\r\n\r\n`));
      socket.resume();
    });
  });
  return result;
}

test('the memory of a body follows its bytes: 1-byte chunks cost little more than one chunk', async () => {
  const whole = await receive('x'.repeat(1_000_000), 1);
  const pieces = await receive('x', 1_000_000);
  expect([whole.length, pieces.length]).toEqual([1_000_000, 1_000_000]);
  // A list of the pieces takes about 400 MB. Garbage of a large process that is not collected yet takes less than 250 MB.
  expect(pieces.grownBytes - whole.grownBytes).toBeLessThan(250_000_000);
}, 60_000);
