import { Agent, request, type Dispatcher } from 'undici';
import { failureFromStatus, retryAfterOf } from './failure.ts';
import { PlatformError } from './platform.ts';

type JsonRequest = {
  method: 'GET' | 'POST';
  url: string;
  headers?: Record<string, string>;
  body?: unknown;
  signal: AbortSignal;
};

export type PlatformHttp = {
  /** Total time an adapter has for one question, all its calls together. */
  timeoutMs: number;
  /** The parsed body of a 2xx answer; anything else is a PlatformError. */
  json(request: JsonRequest): Promise<unknown>;
  /** Where an address redirects to, without going there; null when it says nothing. */
  redirectTarget(url: string, signal: AbortSignal): Promise<string | null>;
  close(): Promise<void>;
};

export type PlatformHttpOptions = {
  timeoutMs: number;
  maxResponseBytes: number;
  /** Calls to one host at the same time; further ones wait. */
  connections?: number;
};

const connectTimeoutMs = 10_000;
const redirectTimeoutMs = 5_000;

export function createPlatformHttp({
  timeoutMs,
  maxResponseBytes,
  connections,
}: PlatformHttpOptions): PlatformHttp {
  // The deadline of the question ends everything; undici's own ones only guard against a forgotten signal.
  const agent = new Agent({
    connections: connections ?? null,
    connect: { timeout: connectTimeoutMs },
    headersTimeout: timeoutMs + connectTimeoutMs,
    bodyTimeout: timeoutMs + connectTimeoutMs,
  });
  return {
    timeoutMs,
    json: (input) => requestJson(agent, input, maxResponseBytes),
    redirectTarget: (url, signal) => readLocation(agent, url, signal),
    close: () => agent.close(),
  };
}

async function requestJson(agent: Agent, input: JsonRequest, maxBytes: number): Promise<unknown> {
  const response = await request(input.url, {
    dispatcher: agent,
    method: input.method,
    headers: {
      accept: 'application/json',
      ...(input.body === undefined ? {} : { 'content-type': 'application/json' }),
      ...input.headers,
    },
    ...(input.body === undefined ? {} : { body: JSON.stringify(input.body) }),
    signal: input.signal,
  });
  const text = await readText(response, maxBytes);
  const body = parseJson(text);
  if (response.statusCode < 200 || response.statusCode >= 300) {
    throw failureFromStatus(response.statusCode, body, retryAfterOf(response.headers, Date.now()));
  }
  if (body === undefined) {
    throw new PlatformError('malformed', 'the body is not JSON', { status: response.statusCode });
  }
  return body;
}

async function readText(response: Dispatcher.ResponseData, maxBytes: number): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of response.body as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > maxBytes) {
      // Leaving the loop destroys the body and with it the connection.
      throw new PlatformError('malformed', 'the body is too large', {
        status: response.statusCode,
        retryable: false,
      });
    }
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

async function readLocation(agent: Agent, url: string, signal: AbortSignal): Promise<string | null> {
  try {
    const response = await request(url, {
      dispatcher: agent,
      method: 'HEAD',
      signal: AbortSignal.any([signal, AbortSignal.timeout(redirectTimeoutMs)]),
    });
    await response.body.dump();
    const location = response.headers.location;
    return response.statusCode >= 300 && response.statusCode < 400 && typeof location === 'string'
      ? location
      : null;
  } catch {
    // A source whose address stays unknown is no reason to lose the answer.
    signal.throwIfAborted();
    return null;
  }
}
