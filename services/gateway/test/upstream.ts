import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { callerHeader, verifyCaller, type Caller } from '@bv/http';
import { testCallerSecret } from '@bv/testkit';

export type UpstreamCall = {
  method: string;
  url: string;
  headers: IncomingMessage['headers'];
  body: string;
  caller: Caller;
};

export type Responder = (call: UpstreamCall, response: ServerResponse) => void | Promise<void>;

export type TestUpstream = {
  url: string;
  calls: UpstreamCall[];
  /** Responds to the next calls; default: 200 with the operation of the call. */
  respond: Responder;
  reset(): void;
  close(): Promise<void>;
  /** Listens again on the same port after `close`. */
  reopen(): Promise<void>;
};

export function json(response: ServerResponse, status: number, body: unknown, headers = {}): void {
  response.writeHead(status, { 'content-type': 'application/json; charset=utf-8', ...headers });
  response.end(JSON.stringify(body));
}

const answerOk: Responder = (call, response) =>
  json(response, 200, { data: { operation: call.caller.operation } });

/** Stands in for the services behind the gateway: real HTTP, and as strict about the caller header as they are. */
export async function startUpstream(): Promise<TestUpstream> {
  const handle = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const caller = verifyCaller(request.headers[callerHeader]?.toString(), [testCallerSecret]);
    if (caller === undefined) return json(response, 401, { error: { code: 'invalid_caller' } });
    const { method = '', url = '', headers } = request;
    const call = { method, url, headers, body: Buffer.concat(chunks).toString(), caller };
    upstream.calls.push(call);
    await upstream.respond(call, response);
  };
  const open = async (port: number) => {
    const opened = createServer((request, response) => {
      handle(request, response).catch(() => response.destroy());
    });
    await new Promise<void>((resolve) => {
      opened.listen(port, '127.0.0.1', resolve);
    });
    return opened;
  };
  let server = await open(0);
  const { port } = server.address() as AddressInfo;
  const upstream: TestUpstream = {
    url: `http://127.0.0.1:${port}`,
    calls: [],
    respond: answerOk,
    reset: () => {
      upstream.calls = [];
      upstream.respond = answerOk;
    },
    close: async () => {
      const closed = new Promise((resolve) => {
        server.close(resolve);
      });
      server.closeAllConnections();
      await closed;
    },
    reopen: async () => {
      server = await open(port);
    },
  };
  return upstream;
}
