import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { ClientRequest, IncomingMessage } from 'node:http';

/** One answer as a client of this process got it. */
export type SeenAnswer = {
  origin: string;
  method: string;
  /** Without its query. */
  path: string;
  requestHeaders: ReadonlyMap<string, string>;
  status: number;
  headers: ReadonlyMap<string, string>;
  body: string;
};

type Listener = (answer: SeenAnswer) => void;

/** What undici, and with it `fetch`, publishes about a request. */
type UndiciRequest = { origin: string | URL; method: string; path: string; headers: readonly unknown[] };
type UndiciMessage = {
  request: UndiciRequest;
  response?: { statusCode: number; headers: readonly unknown[] };
  chunk?: Uint8Array;
};

type Unfinished = { status: number; headers: ReadonlyMap<string, string>; chunks: Uint8Array[] };

/** Every answer that any client of this process reads to its end: `fetch`, undici and node:http alike. */
export function observeAnswers(listener: Listener): () => void {
  const stops = [observeUndici(listener), observeNodeHttp(listener)];
  return () => stops.forEach((stop) => stop());
}

function observeUndici(listener: Listener): () => void {
  const unfinished = new WeakMap<UndiciRequest, Unfinished>();
  return listen({
    'undici:request:headers': ({ request, response }: UndiciMessage) => {
      if (response === undefined) return;
      unfinished.set(request, {
        status: response.statusCode,
        headers: headersOf(response.headers),
        chunks: [],
      });
    },
    'undici:request:bodyChunkReceived': ({ request, chunk }: UndiciMessage) => {
      // The client may reuse its memory for what comes next.
      if (chunk !== undefined) unfinished.get(request)?.chunks.push(new Uint8Array(chunk));
    },
    'undici:request:trailers': ({ request }: UndiciMessage) => {
      const answer = unfinished.get(request);
      if (answer === undefined) return;
      unfinished.delete(request);
      listener({
        origin: String(request.origin),
        method: request.method,
        path: pathOf(request.path),
        requestHeaders: headersOf(request.headers),
        status: answer.status,
        headers: answer.headers,
        body: Buffer.concat(answer.chunks).toString(),
      });
    },
  });
}

function observeNodeHttp(listener: Listener): () => void {
  return listen({
    'http.client.response.finish': ({
      request,
      response,
    }: {
      request: ClientRequest;
      response: IncomingMessage;
    }) => {
      const chunks: Uint8Array[] = [];
      // Reading it here as a stream would take it from the test: what goes in is looked at instead.
      const push = response.push.bind(response);
      response.push = (chunk: Uint8Array | null, encoding?: BufferEncoding) => {
        if (chunk !== null) chunks.push(new Uint8Array(chunk));
        else if (response.complete) {
          listener({
            origin: `${request.protocol}//${request.host}:${response.socket.remotePort ?? 0}`,
            method: request.method,
            path: pathOf(request.path),
            requestHeaders: new Map(
              Object.entries(request.getHeaders()).map(([name, value]) => [name, String(value)]),
            ),
            status: response.statusCode ?? 0,
            headers: headersOf(response.rawHeaders),
            body: Buffer.concat(chunks).toString(),
          });
        }
        return push(chunk, encoding);
      };
    },
  });
}

// oxlint-disable-next-line typescript/no-explicit-any -- every channel has messages of its own
function listen(channels: Record<string, (message: any) => void>): () => void {
  for (const [name, handle] of Object.entries(channels)) subscribe(name, handle);
  return () => {
    for (const [name, handle] of Object.entries(channels)) unsubscribe(name, handle);
  };
}

/** From the flat list of names and values that clients keep. */
function headersOf(raw: readonly unknown[]): ReadonlyMap<string, string> {
  const headers = new Map<string, string>();
  for (let index = 0; index + 1 < raw.length; index += 2) {
    headers.set(String(raw[index]).toLowerCase(), String(raw[index + 1]));
  }
  return headers;
}

function pathOf(target: string): string {
  return target.split('?', 1)[0] ?? '';
}
