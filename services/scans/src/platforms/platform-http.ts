import { Agent as HttpAgent, type IncomingMessage } from 'node:http';
import { Agent as HttpsAgent } from 'node:https';
import { BodyBuffer, sendRequest } from '@bv/http';
import { failureFromStatus, readRetryAfter } from './failure.ts';
import { PlatformError } from './platform.ts';

type JsonRequest = {
  method: 'GET' | 'POST';
  url: string;
  headers?: Record<string, string>;
  body?: unknown;
  signal: AbortSignal;
};

export type PlatformHttp = {
  /** Deadline of a prompt, over all HTTP calls of the adapter. */
  timeoutMs: number;
  /** Returns the parsed body of a 2xx response; throws PlatformError for any other. */
  json(request: JsonRequest): Promise<unknown>;
  /** The target of a redirect, without following it; null if there is none. */
  redirectTarget(url: string, signal: AbortSignal): Promise<string | null>;
  close(): Promise<void>;
};

export type PlatformHttpOptions = { timeoutMs: number; maxResponseBytes: number };

const connectTimeoutMs = 10_000;
const redirectTimeoutMs = 5_000;
/** Shorter than the keep-alive of servers, so that no request is sent on a connection that is being closed. */
const idleConnectionMs = 4_000;

type Send = (
  request: Omit<JsonRequest, 'method'> & { method: string; maxBodyBytes: number },
) => Promise<IncomingMessage>;

export function createPlatformHttp({ timeoutMs, maxResponseBytes }: PlatformHttpOptions): PlatformHttp {
  const pooling = { keepAlive: true, timeout: idleConnectionMs };
  const agents = { 'http:': new HttpAgent(pooling), 'https:': new HttpsAgent(pooling) };
  // The signal carries the deadline of the prompt.
  const send: Send = async ({ method, url: address, headers = {}, body, signal, maxBodyBytes }) => {
    const url = new URL(address);
    const agent = url.protocol === 'https:' ? agents['https:'] : agents['http:'];
    const text = body === undefined ? undefined : JSON.stringify(body);
    return sendRequest({
      method,
      url,
      headers,
      body: text,
      signal,
      maxBodyBytes,
      connectTimeoutMs,
      agent,
    });
  };
  return {
    timeoutMs,
    json: (input) => requestJson(send, input, maxResponseBytes),
    redirectTarget: (url, signal) => readLocation(send, url, signal),
    close: async () => {
      agents['http:'].destroy();
      agents['https:'].destroy();
    },
  };
}

async function requestJson(send: Send, input: JsonRequest, maxBytes: number): Promise<unknown> {
  const response = await send({
    ...input,
    maxBodyBytes: maxBytes,
    headers: {
      accept: 'application/json',
      ...(input.body === undefined ? {} : { 'content-type': 'application/json' }),
      ...input.headers,
    },
  });
  const { statusCode: status = 0 } = response;
  const body = parseJson(await readText(response, maxBytes));
  if (status < 200 || status >= 300) {
    throw failureFromStatus(status, body, readRetryAfter(response.headersDistinct, Date.now()));
  }
  if (body === undefined) {
    throw new PlatformError('malformed', 'the body is not JSON', { status });
  }
  return body;
}

async function readText(response: IncomingMessage, maxBytes: number): Promise<string> {
  const body = new BodyBuffer(maxBytes);
  for await (const chunk of response as AsyncIterable<Buffer>) {
    if (body.append(chunk)) continue;
    // Leaving the loop destroys the response and its connection.
    throw new PlatformError('malformed', 'the body is too large', {
      status: response.statusCode ?? null,
      retryable: false,
    });
  }
  return body.toBuffer().toString('utf8');
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

async function readLocation(send: Send, url: string, signal: AbortSignal): Promise<string | null> {
  try {
    const response = await send({
      method: 'HEAD',
      url,
      maxBodyBytes: 0,
      signal: AbortSignal.any([signal, AbortSignal.timeout(redirectTimeoutMs)]),
    });
    response.resume();
    const { statusCode: status = 0 } = response;
    const { location } = response.headers;
    return status >= 300 && status < 400 && location !== undefined ? location : null;
  } catch {
    // An unresolved source must not lose the answer.
    signal.throwIfAborted();
    return null;
  }
}
