import {
  createMcpHandler,
  isLegacyRequest,
  McpServer,
  ProtocolError,
  WebStandardStreamableHTTPServerTransport,
} from '@modelcontextprotocol/server';
import type { EdgeContext } from '../context.ts';
import { getAccess, sendHead } from '../edge/exchange.ts';
import type { Exchange } from '../edge/exchange.ts';
import { jsonRpcCodes, sendJson } from './json-rpc.ts';
import { callTool } from './call-tool.ts';
import type { ToolCall } from './call-tool.ts';
import { listGuides, readGuide } from './guide-resources.ts';
import { OperationCalls } from './operation-call.ts';
import { getPrompt, listedPrompts } from './prompts.ts';
import type { ListedTool } from './tool.ts';
import { findTool, listedTools } from './tools.ts';

const serverInfo = { name: 'brand-visibility', title: 'Brand Visibility Data API', version: '1.0.0' };
const instructions =
  'How AI assistants answer questions about brands. Start with list_organisations, then list_brands. ' +
  'For "how did my brand do last week and is the change real?" call brand_overview, ' +
  'for "where do we lose?" breakdown, for "what is cited instead of us?" pages. ' +
  'Report a change only if its verdict is up or down, always with the interval and the number of answers, ' +
  'and name the reasons. no_evidence means that the figures do not show a change. Days are UTC.';

/** Which message each request of the SDK belongs to. */
const calls = new WeakMap<Request, ToolCall>();

/** Protocol version 2026-07-28, without sessions: one server for each request. */
const handler = createMcpHandler(({ requestInfo }) => createServer(getCall(requestInfo)), {
  legacy: 'reject',
});

function getCall(request: Request | undefined): ToolCall {
  const call = request && calls.get(request);
  if (call === undefined) throw new Error('the request belongs to no message');
  return call;
}

function createServer(call: ToolCall): McpServer {
  const fixed = { listChanged: false };
  const capabilities = { tools: fixed, prompts: fixed, resources: fixed };
  const mcpServer = new McpServer(serverInfo, { capabilities, instructions });
  const { server } = mcpServer;
  const { scopes } = getAccess(call.exchange);
  const { documents } = call.ctx;
  // A key that cannot write is not shown what it would be refused.
  const isUsable = ({ annotations }: ListedTool) => annotations.readOnlyHint || scopes.includes('write');
  server.setRequestHandler('tools/list', () => ({ tools: listedTools.filter(isUsable) }));
  server.setRequestHandler('prompts/list', () => ({ prompts: listedPrompts }));
  server.setRequestHandler('prompts/get', ({ params }) => getPrompt(params));
  server.setRequestHandler('resources/list', () => ({ resources: listGuides(documents) }));
  server.setRequestHandler('resources/templates/list', () => ({ resourceTemplates: [] }));
  server.setRequestHandler('resources/read', ({ params }) => readGuide(documents, params.uri));
  server.setRequestHandler('tools/call', async ({ params }) => {
    const tool = findTool(params.name);
    if (tool === undefined)
      throw new ProtocolError(jsonRpcCodes.invalidParams, `Unknown tool: ${params.name}`);
    // The parser of the SDK drops `__proto__`, which the tool refuses like every unknown argument.
    const sent = call.exchange.body.json as { params: { arguments?: unknown } };
    return callTool(call, tool, sent.params.arguments ?? {});
  });
  return mcpServer;
}

/** Passes the message to the SDK and sends its response. */
export async function serveMessage(exchange: Exchange, ctx: EdgeContext): Promise<void> {
  const { response } = exchange;
  const stop = new AbortController();
  const abort = (): void => stop.abort();
  response.once('close', abort);
  const timeout = AbortSignal.timeout(ctx.config.UPSTREAM_TIMEOUT_MS);
  const operations = new OperationCalls(exchange, ctx, AbortSignal.any([stop.signal, timeout]));
  const call: ToolCall = { exchange, ctx, operations, refusal: undefined };
  const answer = await respond(toWebRequest(exchange), call, exchange.body.json);
  response.off('close', abort);
  if (response.destroyed) return;
  exchange.hasResponse = true;
  if (call.refusal !== undefined) return sendRefusal(exchange, call.refusal);
  sendJson(exchange, answer.status, await answer.text());
}

async function respond(request: Request, call: ToolCall, message: unknown): Promise<Response> {
  calls.set(request, call);
  if (!(await isLegacyRequest(request, message))) return handler.fetch(request, { parsedBody: message });
  // Protocol versions of 2025. The handler of the SDK would stream the response, which could no longer be a 429.
  const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true });
  const server = createServer(call);
  await server.connect(transport);
  try {
    return await transport.handleRequest(request, { parsedBody: message });
  } finally {
    await server.close();
  }
}

/** Headers of a request that the SDK checks. The key is not among them. */
const passedHeaders = ['content-type', 'mcp-protocol-version', 'mcp-method', 'mcp-name'];

function toWebRequest({ request }: Exchange): Request {
  // Responses are always JSON. The SDK would refuse a client that does not also accept streams.
  const headers = new Headers({ accept: 'application/json, text/event-stream' });
  for (const name of passedHeaders) {
    const value = request.headers[name];
    if (typeof value === 'string') headers.set(name, value);
  }
  // The address is not used: the body has been read already.
  return new Request('http://localhost/mcp', { method: 'POST', headers });
}

/** A spent allowance and a revoked key are statuses of HTTP, so that clients wait or ask for another key. */
function sendRefusal(
  exchange: Exchange,
  { status, envelope, retryAfter }: NonNullable<ToolCall['refusal']>,
): void {
  const body = Buffer.from(JSON.stringify({ ...envelope, request_id: exchange.requestId }));
  exchange.errorCode = envelope.error.code;
  sendHead(exchange, status, {
    'content-type': 'application/json; charset=utf-8',
    'content-length': body.length,
    ...(retryAfter !== undefined && { 'retry-after': retryAfter }),
  });
  exchange.response.end(body);
}
