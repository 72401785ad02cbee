import { createSocket } from 'node:dgram';

const typeA = 1;

/** A name server on loopback that resolves every name to 127.0.0.1. */
export async function startNameServer(): Promise<{ address: string; close(): void }> {
  const socket = createSocket('udp4');
  socket.on('message', (query, from) => {
    const question = query.subarray(12, findQuestionEnd(query));
    const isA = question.readUInt16BE(question.length - 4) === typeA;
    const head = Buffer.from(query.subarray(0, 12));
    head.writeUInt16BE(0x8180, 2);
    head.writeUInt16BE(isA ? 1 : 0, 6);
    head.writeUInt16BE(0, 10);
    // The name of the question, class IN, a minute to live, 127.0.0.1.
    const record = Buffer.from([0xc0, 12, 0, typeA, 0, 1, 0, 0, 0, 60, 0, 4, 127, 0, 0, 1]);
    socket.send(Buffer.concat([head, question, ...(isA ? [record] : [])]), from.port, from.address);
  });
  await new Promise<void>((resolve) => socket.bind(0, '127.0.0.1', resolve));
  return { address: `127.0.0.1:${socket.address().port}`, close: () => void socket.close() };
}

/** End of the question: labels with their lengths, then type and class. */
function findQuestionEnd(query: Buffer): number {
  let at = 12;
  while ((query[at] ?? 0) > 0) at += (query[at] ?? 0) + 1;
  return at + 5;
}
