import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { operations } from '@bv/contract';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import type { ClientResponse } from './client.ts';
import type { TestGateway } from './gateway.ts';
import { json, type Responder } from './upstream.ts';

const examplesFile = join(import.meta.dirname, '../../../tools/codegen/src/examples/responses.json');
export const examples = JSON.parse(readFileSync(examplesFile, 'utf8')) as Record<
  string,
  { data: unknown } | undefined
>;

/** Responds like the services of the demo: with the recorded example of the operation, a list with its last page. */
export const respondWithExamples: Responder = ({ caller }, response) => {
  const operation = operations.find(({ id }) => id === caller.operation);
  const pagination = { next_cursor: null, has_more: false };
  const end = operation?.success.kind === 'list' ? { pagination } : {};
  json(response, operation?.success.status ?? 500, { ...examples[caller.operation], ...end });
};

export type RpcResponse = Omit<ClientResponse, 'body'> & {
  body: {
    result?: Record<string, unknown>;
    error?: { code: number | string; message: string };
    id?: unknown;
    request_id?: string;
  };
};

type Sent = { key?: string; headers?: Record<string, string | string[]>; method?: string };

/** Sends one body to `/mcp` without a client, as clients of 2025 send their messages. */
export async function post(gateway: TestGateway, body: unknown, sent: Sent = {}): Promise<RpcResponse> {
  const { headers, method = 'POST', ...rest } = sent;
  const accept = 'application/json, text/event-stream';
  const response = await gateway.call({
    method,
    path: '/mcp',
    body,
    headers: { accept, ...headers },
    ...rest,
  });
  return response as unknown as RpcResponse;
}

export const message = (method: string, params: object = {}) => ({ jsonrpc: '2.0', id: 1, method, params });
export const toolCall = (name: string, args: object = {}) => message('tools/call', { name, arguments: args });

/** Connects the official client with the current protocol version, which sends no handshake of 2025. */
export async function connectClient(
  { port, address }: TestGateway,
  key: string,
  mode: 'auto' | 'legacy' = 'auto',
): Promise<Client> {
  const client = new Client({ name: 'test', version: '1.0.0' }, { versionNegotiation: { mode } });
  const headers = { authorization: `Bearer ${key}`, 'x-forwarded-for': address };
  const url = new URL(`http://127.0.0.1:${port}/mcp`);
  await client.connect(new StreamableHTTPClientTransport(url, { requestInit: { headers } }));
  return client;
}
