import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { registerStub } from '@bv/testkit';
import type { ExpectedRequest, ScriptedResponse } from './scenarios.ts';

type Received = {
  method: string;
  url: URL;
  headers: IncomingHttpHeaders;
  body: string;
  atMs: number;
};

function send(response: ServerResponse, step: ScriptedResponse): void {
  if (step.hang === true) return;
  if (step.close === true) {
    response.destroy();
    return;
  }
  const { status = 200, headers = {}, body, text, cut, retry_after_date_seconds: ahead } = step;
  const date = new Date(Math.ceil(Date.now() / 1000 + (ahead ?? 0)) * 1000).toUTCString();
  response.writeHead(status, {
    ...(text === undefined ? { 'content-type': 'application/json' } : {}),
    ...(ahead === undefined ? {} : { 'retry-after': date }),
    ...(cut === true ? { 'content-length': '1000' } : {}),
    ...headers,
  });
  if (cut === true) response.write(text ?? '', () => setTimeout(() => response.destroy(), 20));
  else response.end(text ?? JSON.stringify(body));
}

/** Starts an HTTP server that responds to request n with step n. */
export async function startExchange(steps: ScriptedResponse[], onRequest: (count: number) => void) {
  const received: Received[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const { method = '', headers } = request;
      const url = new URL(request.url ?? '', 'http://localhost');
      received.push({
        method,
        url,
        headers,
        body: Buffer.concat(chunks).toString(),
        atMs: performance.now(),
      });
      onRequest(received.length);
      const refusal = { error: { code: 'script_ended', message: 'no step is left' } };
      send(response, steps[received.length - 1] ?? { status: 400, body: refusal });
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  registerStub(origin);
  const close = async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  };
  return { origin, received, close };
}

function describeKey(key: string | undefined, earlier: (string | undefined)[]): string {
  if (key === undefined) return 'none';
  if (key === earlier.at(-1)) return 'same';
  return earlier.includes(key) ? 'other' : 'new';
}

/** What was received, in the form of the expectation. */
export function toComparable(received: Received[], expected: ExpectedRequest[]): ExpectedRequest[] {
  const keys = received.map(({ headers }) => headers['idempotency-key'] as string | undefined);
  return received.map(({ method, url, headers, body, atMs }, at) => {
    const want = expected[at] ?? { method, path: '' };
    const waitedMs = atMs - (received[at - 1]?.atMs ?? atMs);
    const found: ExpectedRequest = { method, path: url.pathname };
    if (url.search !== '') found.query = Object.fromEntries(url.searchParams);
    if (body !== '') found.body = JSON.parse(body) as unknown;
    if (want.headers !== undefined) {
      const names = Object.keys(want.headers);
      found.headers = Object.fromEntries(names.map((name) => [name, String(headers[name])]));
    }
    if (want.idempotency_key !== undefined) found.idempotency_key = describeKey(keys[at], keys.slice(0, at));
    if (want.after_ms !== undefined) found.after_ms = Math.min(waitedMs, want.after_ms);
    return found;
  });
}
