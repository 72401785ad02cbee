import { request as httpRequest, type IncomingHttpHeaders } from 'node:http';
import { connect } from 'node:net';

export type Sent = {
  method?: string;
  path: string;
  key?: string;
  headers?: Record<string, string | string[]>;
  /** Sent as JSON; a string or bytes go as they are. */
  body?: unknown;
};

// oxlint-disable-next-line typescript/no-explicit-any -- tests look into bodies of every shape
export type ClientResponse = { status: number; headers: IncomingHttpHeaders; body: any; text: string };

/** Sends one request on its own connection. The test sets all headers. */
export async function send(port: number, sent: Sent): Promise<ClientResponse> {
  const { method = 'GET', path, key, headers = {}, body } = sent;
  const bytes = body === undefined ? undefined : encode(body);
  return new Promise((resolve, reject) => {
    const request = httpRequest(
      {
        host: '127.0.0.1',
        port,
        method,
        path,
        agent: false,
        headers: {
          ...(key === undefined ? {} : { authorization: `Bearer ${key}` }),
          ...(bytes === undefined
            ? {}
            : { 'content-type': 'application/json', 'content-length': String(bytes.length) }),
          ...headers,
        },
      },
      (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('error', reject);
        response.on('end', () => {
          const text = Buffer.concat(chunks).toString();
          resolve({ status: response.statusCode ?? 0, headers: response.headers, body: parse(text), text });
        });
      },
    );
    request.on('error', reject);
    request.end(bytes);
  });
}

/** Sends the bytes. Returns the received text when the server closes, or after `waitMs`. */
export async function sendRaw(port: number, bytes: string | Buffer, waitMs = 20_000): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1', () => socket.write(bytes));
    const chunks: Buffer[] = [];
    const finish = (): void => {
      clearTimeout(timer);
      socket.destroy();
      resolve(Buffer.concat(chunks).toString());
    };
    const timer = setTimeout(finish, waitMs);
    socket.on('data', (chunk) => chunks.push(chunk));
    socket.on('close', finish);
    socket.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'ECONNRESET' || error.code === 'EPIPE') finish();
      else reject(error);
    });
  });
}

function encode(body: unknown): Buffer {
  if (Buffer.isBuffer(body)) return body;
  return Buffer.from(typeof body === 'string' ? body : JSON.stringify(body));
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Waits for the next clock minute if less than `neededMs` are left in this one. */
export async function withinMinute(neededMs: number): Promise<void> {
  const left = 60_000 - (Date.now() % 60_000);
  if (left < neededMs) await new Promise((resolve) => setTimeout(resolve, left + 50));
}
