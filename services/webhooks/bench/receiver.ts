import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';

/**
 * A receiver over TLS for its own process: reads the body, returns 204. Arguments: <key> <certificate>, as PEM. Prints
 * its port.
 */
const [key, cert] = process.argv.slice(2);
const server = createServer({ key, cert }, (request, response) => {
  request.resume();
  request.on('end', () => response.writeHead(204).end());
});
server.listen(0, '127.0.0.1', () => {
  process.stdout.write(`${(server.address() as AddressInfo).port}\n`);
});
