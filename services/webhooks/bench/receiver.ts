import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A receiver in a process of its own: takes the body, answers 204, says its port on stdout. */
const server = createServer((request, response) => {
  request.resume();
  request.on('end', () => response.writeHead(204).end());
});
server.listen(0, '127.0.0.1', () => {
  process.stdout.write(`${(server.address() as AddressInfo).port}\n`);
});
