import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A receiver for its own process: reads the body, returns 204. Prints its port to stdout. */
const server = createServer((request, response) => {
  request.resume();
  request.on('end', () => response.writeHead(204).end());
});
server.listen(0, '127.0.0.1', () => {
  process.stdout.write(`${(server.address() as AddressInfo).port}\n`);
});
