import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { ControlBrands, ControlTrouble, SimulatorState, type Trouble } from './simulator-state.ts';
import type { Wire, WireCall, WireResponse } from './wire.ts';
import { anthropicWire } from './wire-anthropic.ts';
import { dataForSeoWire } from './wire-dataforseo.ts';
import { geminiWire, redirectPath } from './wire-gemini.ts';
import { llmJudgeWire } from './wire-judge.ts';
import { openaiWire } from './wire-openai.ts';
import { perplexityWire } from './wire-perplexity.ts';
import { perplexityAgentWire } from './wire-perplexity-agent.ts';
import { serpApiWire } from './wire-serpapi.ts';

export type SimulatorOptions = {
  port?: number;
  host?: string;
  /** The day of the answers, YYYY-MM-DD; by default the UTC day. */
  today?: () => string;
};

export type Simulator = {
  url: string;
  port: number;
  /** What the control API reads and sets, for a test in the same process. */
  state: SimulatorState;
  close(): Promise<void>;
};

const wires: readonly Wire[] = [
  openaiWire,
  perplexityWire,
  perplexityAgentWire,
  geminiWire,
  anthropicWire,
  serpApiWire,
  dataForSeoWire,
  llmJudgeWire,
];
const maxBodyBytes = 4 * 1024 * 1024;
const defaultSlowMs = 2_000;

/** A server that imitates the AI platforms, for machines without their API keys and for tests. */
export async function createSimulator(options: SimulatorOptions = {}): Promise<Simulator> {
  const state = new SimulatorState();
  const today = options.today ?? (() => new Date().toISOString().slice(0, 10));
  const closing = new AbortController();
  const server = createServer((request, response) => {
    handle(request, response, { state, today, signal: closing.signal }).catch(() => response.destroy());
  });
  server.listen(options.port ?? 0, options.host ?? '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    port,
    state,
    close: async () => {
      closing.abort();
      server.closeAllConnections();
      await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
}

type Context = { state: SimulatorState; today: () => string; signal: AbortSignal };

async function handle(request: IncomingMessage, response: ServerResponse, context: Context): Promise<void> {
  const url = new URL(request.url ?? '/', `http://${request.headers.host ?? '127.0.0.1'}`);
  const body = await readJson(request);
  const controlResponse = control(request, url, body, context.state);
  if (controlResponse !== null) return send(response, controlResponse);
  const wire = wires.find(({ method, path }) => method === request.method && path.test(url.pathname));
  if (wire === undefined) return send(response, { status: 404, body: { error: { message: 'Not found' } } });
  const trouble = context.state.consumeTrouble(wire.platform);
  if (trouble?.kind === 'hang') return;
  if (trouble?.kind === 'hold') await context.state.hold(wire.platform, response);
  if (trouble?.kind === 'slow') {
    await delay(trouble.delayMs ?? defaultSlowMs, undefined, { signal: context.signal });
  }
  const errorResponse = errorFor(wire, trouble);
  if (errorResponse !== null) return send(response, errorResponse);
  const call: WireCall = {
    headers: request.headers,
    path: url.pathname,
    query: url.searchParams,
    body,
    origin: url.origin,
    day: context.today(),
    brands: context.state.brands,
    trouble,
  };
  return send(response, isValidKey(wire.readKey(call)) ? respond(wire, call) : wire.refuse(401, undefined));
}

function respond(wire: Wire, call: WireCall): WireResponse {
  const response = wire.respond(call);
  if (call.trouble?.kind !== 'no_model') return response;
  const { model: _model, modelVersion: _version, ...body } = response.body as Record<string, unknown>;
  return { ...response, body };
}

/** The key "invalid" is rejected, so that this case can be tested. */
const isValidKey = (key: string | undefined): boolean => key !== undefined && key !== '' && key !== 'invalid';

function errorFor(wire: Wire, trouble: Trouble | null): WireResponse | null {
  if (trouble?.kind === '429') return wire.refuse(429, trouble.retryAfterSeconds);
  return trouble?.kind === '500' ? wire.refuse(500, undefined) : null;
}

/** The simulator's own control API; null for a path of a platform. */
function control(
  request: IncomingMessage,
  url: URL,
  body: unknown,
  state: SimulatorState,
): WireResponse | null {
  const redirect = url.pathname.indexOf(redirectPath);
  if (redirect !== -1) {
    const location = Buffer.from(url.pathname.slice(redirect + redirectPath.length), 'base64url').toString();
    return { status: 302, headers: { location }, body: null };
  }
  switch (`${request.method} ${url.pathname}`) {
    case 'GET /healthz':
      return { status: 200, body: { status: 'ok' } };
    case 'GET /control/requests':
      return { status: 200, body: { requests: state.requests, held: state.held } };
    case 'PUT /control/brands': {
      const parsed = ControlBrands.safeParse(body);
      if (!parsed.success) return { status: 400, body: { error: parsed.error.issues } };
      state.brands = parsed.data.brands;
      return { status: 200, body: parsed.data };
    }
    case 'POST /control/trouble':
    case 'PUT /control/trouble': {
      const parsed = ControlTrouble.safeParse(body);
      if (!parsed.success) return { status: 400, body: { error: parsed.error.issues } };
      state.setTrouble(parsed.data);
      return { status: 200, body: parsed.data };
    }
    default:
      return null;
  }
}

async function readJson(request: IncomingMessage): Promise<unknown> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > maxBodyBytes) throw new Error('the body is too large');
    chunks.push(chunk);
  }
  try {
    return JSON.parse(Buffer.concat(chunks).toString('utf8')) as unknown;
  } catch {
    return undefined;
  }
}

function send(response: ServerResponse, { status, headers, body }: WireResponse): void {
  const text = JSON.stringify(body);
  response.writeHead(status, { 'content-type': 'application/json; charset=utf-8', ...headers });
  response.end(text);
}
