import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import {
  request as httpRequest,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type ServerResponse,
} from 'node:http';
import { connect, type Socket } from 'node:net';

export type Sent = {
  method?: string;
  path: string;
  key?: string;
  headers?: Record<string, string | string[]>;
  /** Sent as JSON; a string or bytes go as they are. */
  body?: unknown;
};

/** The body of a response. Which members it has depends on the status and the operation. */
export type Body<Data> = {
  data: Data;
  pagination: { next_cursor: string | null; has_more: boolean };
  /** `details` is typed as those of a `validation_error`. */
  error: {
    code: string;
    message: string;
    doc_url: string;
    details: { path: string; code: string; message: string }[];
  };
  request_id: string;
};

/** `body` is undefined when the text is no JSON. */
export type ClientResponse<Data = Record<string, unknown>> = {
  status: number;
  headers: IncomingHttpHeaders;
  body: Body<Data>;
  text: string;
};

/** Sends one request on its own connection. The test sets all headers. */
export async function send<Data>(port: number, sent: Sent): Promise<ClientResponse<Data>> {
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
          resolve({
            status: response.statusCode ?? 0,
            headers: response.headers,
            body: parse(text) as Body<Data>,
            text,
          });
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

type Received = { request: IncomingMessage; response: ServerResponse; socket: Socket };

/**
 * The next request of the client that a server of this process has received. Called before the client sends it, with a
 * connected socket.
 */
export function nextRequest(client: Socket): Promise<Received> {
  return new Promise((resolve) => {
    const look = (message: unknown): void => {
      const received = message as Received;
      if (received.socket.remotePort !== client.localPort) return;
      unsubscribe('http.server.request.start', look);
      resolve(received);
    };
    subscribe('http.server.request.start', look);
  });
}
