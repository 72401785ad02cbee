import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { BrandVisibilityClient, type ClientOptions } from '@bv/sdk';
import { registerStub } from '@bv/testkit';

export type RecordedRequest = {
  method: string;
  url: URL;
  headers: IncomingMessage['headers'];
  body: string;
  atMs: number;
};

type Step = (response: ServerResponse, request: RecordedRequest) => void;

/** Responds with JSON and the given headers. */
export const respond =
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
): Step => respond(status, { error: { code, message: code, details }, request_id: 'x' }, headers);

/** Closes the connection without a response, after the whole request has arrived. */
export const disconnect: Step = (response) => response.destroy();

/** Never responds. */
export const hang: Step = () => undefined;

export const page = (rows: unknown[], next: string | null): Step =>
  respond(200, { data: rows, pagination: { next_cursor: next, has_more: next !== null } });

/** Starts an HTTP server that responds to each request with the next step. After the last step it returns 500. */
export async function startFaultServer(steps: Step[]) {
  const requests: RecordedRequest[] = [];
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
      requests.push(entry);
      const step = steps[requests.length - 1] ?? refuse(500, 'script_ended');
      step(response, entry);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
  registerStub(baseUrl);
  return {
    baseUrl,
    requests,
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
