import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { TLSSocket } from 'node:tls';

export type Authority = { caFile: string; key: Buffer; cert: Buffer; remove(): void };

/** Creates a new certificate authority, and its certificate for localhost. */
export function createAuthority(): Authority {
  const dir = mkdtempSync(join(tmpdir(), 'bv-authority-'));
  const openssl = (...words: string[]): Buffer => execFileSync('openssl', words, { cwd: dir, stdio: 'pipe' });
  const curve = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes'];
  openssl(
    'req',
    '-x509',
    ...curve,
    '-days',
    '2',
    '-subj',
    '/CN=authority',
    '-keyout',
    'ca.key',
    '-out',
    'ca.pem',
  );
  openssl('req', ...curve, '-subj', '/CN=localhost', '-keyout', 'key.pem', '-out', 'request.pem');
  const names = [
    '-copy_extensions',
    'none',
    '-days',
    '2',
    '-CA',
    'ca.pem',
    '-CAkey',
    'ca.key',
    '-CAcreateserial',
  ];
  execFileSync(
    'bash',
    [
      '-c',
      `openssl x509 -req -in request.pem ${names.join(' ')} -extfile <(echo subjectAltName=DNS:localhost) -out cert.pem`,
    ],
    { cwd: dir, stdio: 'pipe' },
  );
  const read = (name: string): Buffer => readFileSync(join(dir, name));
  return {
    caFile: join(dir, 'ca.pem'),
    key: read('key.pem'),
    cert: read('cert.pem'),
    remove: () => rmSync(dir, { recursive: true }),
  };
}

/** Exchange in plain text before the TLS handshake. */
type Preamble = (client: Socket, upstream: Socket) => Promise<void>;

const preambles: Record<'postgres' | 'redis' | 'nats', Preamble> = {
  redis: async () => undefined,
  /** The client requests TLS by eight bytes, and the server accepts by one. */
  postgres: async (client) => {
    await once(client, 'readable');
    client.read(8);
    client.write('S');
  },
  /** The server sends first, and announces that it requires TLS. */
  nats: async (client, upstream) => {
    await once(upstream, 'readable');
    const line = String(upstream.read());
    const info = JSON.parse(line.slice('INFO '.length)) as object;
    client.write(`INFO ${JSON.stringify({ ...info, tls_required: true })}\r\n`);
  },
};

/** A TLS proxy in front of a server, with the preamble of its protocol. */
export async function terminateTls(
  protocol: keyof typeof preambles,
  port: number,
  { key, cert }: Authority,
): Promise<{ port: number; close(): void }> {
  const open = new Set<Socket>();
  const server = createServer((client) => {
    const upstream = connect(port, '127.0.0.1');
    for (const socket of [client, upstream]) {
      open.add(socket);
      socket
        .on('error', () => undefined)
        .on('close', () => {
          client.destroy();
          upstream.destroy();
        });
    }
    void preambles[protocol](client, upstream).then(() => {
      const secure = new TLSSocket(client, { isServer: true, key, cert });
      secure.on('error', () => client.destroy());
      secure.pipe(upstream).pipe(secure);
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    close: () => {
      server.close();
      for (const socket of open) socket.destroy();
    },
  };
}
