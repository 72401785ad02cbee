import { createServer } from 'node:http';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';

export type ReceivedSpan = {
  traceId: string;
  spanId: string;
  parentSpanId?: string;
  name: string;
  kind: number;
  scope: string;
  attributes: Record<string, unknown>;
};

type ExportRequest = {
  resourceSpans: {
    scopeSpans: {
      scope: { name: string };
      spans: (Omit<ReceivedSpan, 'scope' | 'attributes'> & {
        attributes: { key: string; value: Record<string, unknown> }[];
      })[];
    }[];
  }[];
};

/** A local OTLP/HTTP collector (JSON encoding) that stores the spans it receives. */
export async function startCollector(): Promise<{ url: string; spans: ReceivedSpan[]; close(): void }> {
  const spans: ReceivedSpan[] = [];
  const keepSpans = async (request: IncomingMessage, response: ServerResponse) => {
    const body = (await json(request)) as ExportRequest;
    if (request.url === '/v1/traces') spans.push(...toSpans(body));
    response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
  };
  const server = createServer((request, response) => void keepSpans(request, response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    spans,
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}

function toSpans(body: ExportRequest): ReceivedSpan[] {
  return body.resourceSpans.flatMap(({ scopeSpans }) =>
    scopeSpans.flatMap(({ scope, spans }) =>
      spans.map((span) => ({
        ...span,
        scope: scope.name,
        attributes: Object.fromEntries(
          span.attributes.map(({ key, value }) => [key, Object.values(value)[0]]),
        ),
      })),
    ),
  );
}
