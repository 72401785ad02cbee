import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { BrandVisibilityClient, type ClientOptions } from '@bv/sdk';
import { standsIn } from '@bv/testkit';

export type SeenRequest = {
  method: string;
  url: URL;
  headers: IncomingMessage['headers'];
  body: string;
  atMs: number;
};

type Step = (response: ServerResponse, request: SeenRequest) => void;

/** Answers with JSON and, when given, `Retry-After` and other headers. */
export const answer =
  (status: number, body: unknown, headers: Record<string, string> = {}): Step =>
  (response) => {
    response.writeHead(status, {
      'content-type': 'application/json',
      'x-request-id': 'a2f1a7b0-0000-4000-8000-000000000000',
      ...headers,
    });
    response.end(JSON.stringify(body));
  };

export const refuse = (
  status: number,
  code: string,
  headers: Record<string, string> = {},
  details?: unknown,
): Step => answer(status, { error: { code, message: code, details }, request_id: 'x' }, headers);

/** The connection ends without an answer, after the request has arrived in full. */
export const lose: Step = (response) => response.destroy();

/** Never answers. */
export const hang: Step = () => undefined;

export const page = (rows: unknown[], next: string | null): Step =>
  answer(200, { data: rows, pagination: { next_cursor: next, has_more: next !== null } });

/** An HTTP server that answers request after request by a script; what comes after its end is a 500. */
export async function startFaultServer(steps: Step[]) {
  const seen: SeenRequest[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const entry = {
        method: request.method ?? '',
        url: new URL(request.url ?? '', 'http://localhost'),
        headers: request.headers,
        body: Buffer.concat(chunks).toString(),
        atMs: performance.now(),
      };
      seen.push(entry);
      const step = steps[seen.length - 1] ?? refuse(500, 'script_ended');
      step(response, entry);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
  standsIn(baseUrl);
  return {
    baseUrl,
    seen,
    client: (options: Partial<ClientOptions> = {}) =>
      new BrandVisibilityClient({
        baseUrl,
        apiKey: 'bvk_live_test',
        ...options,
        retry: { baseDelayMs: 5, ...options.retry },
      }),
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

export type FaultServer = Awaited<ReturnType<typeof startFaultServer>>;
