import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import type { AddressInfo, Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { TLSSocket } from 'node:tls';

export type TlsProxy = {
  url: string;
  /** Writes these bytes below TLS to every open connection. */
  inject(bytes: Buffer): void;
  close(): Promise<void>;
};

/** A proxy in front of Postgres that encrypts and whose records can be damaged on their way. */
export async function startTlsProxy(target: string): Promise<TlsProxy> {
  const { hostname, port } = new URL(target);
  const credentials = selfSigned();
  const sockets = new Set<Socket>();
  const server = createServer((inbound) => {
    sockets.add(inbound);
    inbound.on('error', () => undefined);
    // The client's request for TLS.
    inbound.once('data', () => {
      inbound.write('S');
      const secure = new TLSSocket(inbound, { isServer: true, ...credentials });
      const outbound = connect(Number(port), hostname);
      secure.on('error', () => outbound.destroy()).on('close', () => outbound.destroy());
      outbound.on('error', () => secure.destroy()).on('close', () => secure.destroy());
      secure.pipe(outbound).pipe(secure);
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = new URL(target);
  url.host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  url.search = '?sslmode=no-verify';
  return {
    url: url.href,
    inject: (bytes) => {
      for (const socket of sockets) socket.write(bytes);
    },
    close: async () => {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function selfSigned(): { key: Buffer; cert: Buffer } {
  const dir = mkdtempSync(join(tmpdir(), 'bv-self-signed-'));
  const words = 'req -x509 -nodes -newkey rsa:2048 -days 2 -subj /CN=localhost -keyout key.pem -out cert.pem';
  execFileSync('openssl', words.split(' '), { cwd: dir, stdio: 'pipe' });
  const made = { key: readFileSync(join(dir, 'key.pem')), cert: readFileSync(join(dir, 'cert.pem')) };
  rmSync(dir, { recursive: true });
  return made;
}
