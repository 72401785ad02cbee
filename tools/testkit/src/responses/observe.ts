import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { ClientRequest, IncomingMessage } from 'node:http';

/** One response that a client in this process received. */
export type ObservedResponse = {
  origin: string;
  method: string;
  /** Without the query string. */
  path: string;
  requestHeaders: ReadonlyMap<string, string>;
  status: number;
  headers: ReadonlyMap<string, string>;
  body: string;
};

type Listener = (response: ObservedResponse) => void;

/** The diagnostics-channel messages of undici, which `fetch` uses. */
type UndiciRequest = { origin: string | URL; method: string; path: string; headers: readonly unknown[] };
type UndiciMessage = {
  request: UndiciRequest;
  response?: { statusCode: number; headers: readonly unknown[] };
  chunk?: Uint8Array;
};

type PartialResponse = { status: number; headers: ReadonlyMap<string, string>; chunks: Uint8Array[] };

/** Reports every response that a client in this process reads to its end, of `fetch`, undici and node:http. */
export function observeResponses(listener: Listener): () => void {
  const stops = [observeUndici(listener), observeNodeHttp(listener)];
  return () => stops.forEach((stop) => stop());
}

function observeUndici(listener: Listener): () => void {
  const partialResponses = new WeakMap<UndiciRequest, PartialResponse>();
  return listen({
    'undici:request:headers': ({ request, response }: UndiciMessage) => {
      if (response === undefined) return;
      partialResponses.set(request, {
        status: response.statusCode,
        headers: toHeaderMap(response.headers),
        chunks: [],
      });
    },
    'undici:request:bodyChunkReceived': ({ request, chunk }: UndiciMessage) => {
      // Copy: the client may reuse the buffer for the next chunk.
      if (chunk !== undefined) partialResponses.get(request)?.chunks.push(new Uint8Array(chunk));
    },
    'undici:request:trailers': ({ request }: UndiciMessage) => {
      const response = partialResponses.get(request);
      if (response === undefined) return;
      partialResponses.delete(request);
      listener({
        origin: String(request.origin),
        method: request.method,
        path: stripQuery(request.path),
        requestHeaders: toHeaderMap(request.headers),
        status: response.status,
        headers: response.headers,
        body: Buffer.concat(response.chunks).toString(),
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
      // Reading the stream here would consume it before the test does. So copy the chunks that are pushed into it.
      const push = response.push.bind(response);
      response.push = (chunk: Uint8Array | null, encoding?: BufferEncoding) => {
        if (chunk !== null) chunks.push(new Uint8Array(chunk));
        else if (response.complete) {
          listener({
            origin: `${request.protocol}//${request.host}:${response.socket.remotePort ?? 0}`,
            method: request.method,
            path: stripQuery(request.path),
            requestHeaders: new Map(
              Object.entries(request.getHeaders()).map(([name, value]) => [name, String(value)]),
            ),
            status: response.statusCode ?? 0,
            headers: toHeaderMap(response.rawHeaders),
            body: Buffer.concat(chunks).toString(),
          });
        }
        return push(chunk, encoding);
      };
    },
  });
}

// oxlint-disable-next-line typescript/no-explicit-any -- each channel has its own message type
function listen(channels: Record<string, (message: any) => void>): () => void {
  for (const [name, handle] of Object.entries(channels)) subscribe(name, handle);
  return () => {
    for (const [name, handle] of Object.entries(channels)) unsubscribe(name, handle);
  };
}

/** Converts the flat list of names and values that clients store. */
function toHeaderMap(raw: readonly unknown[]): ReadonlyMap<string, string> {
  const headers = new Map<string, string>();
  for (let index = 0; index + 1 < raw.length; index += 2) {
    headers.set(String(raw[index]).toLowerCase(), String(raw[index + 1]));
  }
  return headers;
}

function stripQuery(target: string): string {
  return target.split('?', 1)[0] ?? '';
}
