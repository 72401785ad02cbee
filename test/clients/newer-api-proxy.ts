import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The value with a further field in every object, and platforms that no client knows. */
function extend(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(extend);
  if (!isObject(value)) return value;
  const fields = Object.entries(value).map(([name, field]) => [
    name,
    name === 'platform' && typeof field === 'string' ? `${field}_of_tomorrow` : extend(field),
  ]);
  return { ...Object.fromEntries(fields), field_of_tomorrow: { since: 2030 } };
}

async function forward(origin: string, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { authorization = '' } = request.headers;
  const answer = await fetch(origin + (request.url ?? ''), {
    headers: { authorization },
    signal: AbortSignal.timeout(30_000),
  });
  const headers = new Map(answer.headers);
  // `fetch` has decoded the body, which also becomes longer.
  for (const name of ['content-encoding', 'content-length', 'transfer-encoding', 'connection']) {
    headers.delete(name);
  }
  response.writeHead(answer.status, Object.fromEntries(headers));
  response.end(JSON.stringify(extend(await answer.json())));
}

/** Forwards each GET to the origin, and answers as a later version of the API may. */
export async function startNewerApiProxy(origin: string): Promise<{ url: string; close(): void }> {
  const server = createServer((request, response) => {
    forward(origin, request, response).catch((error: unknown) => {
      response.writeHead(502).end(String(error));
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}
