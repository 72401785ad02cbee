import { createInterface } from 'node:readline';
import type { Readable, Writable } from 'node:stream';
import { sdkVersion } from '@bv/sdk';
import type { Settings } from './config.ts';
import { describeError } from './failure.ts';

type Message = {
  id?: string | number | null;
  method?: string;
  params?: { name?: string; uri?: string; requestId?: unknown; _meta?: Record<string, unknown> };
};

const versionKey = 'io.modelcontextprotocol/protocolVersion';
const timeoutMs = 120_000;
const maxConcurrent = 8;
/** JSON-RPC codes: the text is not JSON, and an error of the transport. */
const codes = { parse: -32_700, transport: -32_000 };

/** The JSON-RPC messages of a response: one JSON text, or one for each event of a stream. */
function readMessages(text: string, contentType: string): string[] {
  if (!contentType.startsWith('text/event-stream')) return text.trim() === '' ? [] : [text];
  return text.split(/\r?\n\r?\n/).flatMap((event) => {
    const data = event.split(/\r?\n/).flatMap((line) => (line.startsWith('data:') ? [line.slice(5)] : []));
    return data.length === 0 ? [] : [data.join('\n')];
  });
}

const isMessage = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && 'jsonrpc' in value;

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Forwards messages of the Model Context Protocol to the API, over HTTP with the key. */
class Forwarder {
  readonly #url: string;
  readonly #apiKey: string;
  readonly #output: Writable;
  readonly #running = new Map<unknown, AbortController>();
  /** Protocol version of the handshake, for clients that send none with each message. */
  #version: string | undefined;

  constructor(url: string, apiKey: string, output: Writable) {
    this.#url = url;
    this.#apiKey = apiKey;
    this.#output = output;
  }

  #send(message: object): void {
    this.#output.write(`${JSON.stringify(message)}\n`);
  }

  #fail(id: Message['id'], code: number, message: string): void {
    if (id !== undefined) this.#send({ jsonrpc: '2.0', id, error: { code, message } });
  }

  #headers({ method, params }: Message): Record<string, string> {
    const own = params?._meta?.[versionKey];
    const version = typeof own === 'string' ? own : this.#version;
    const name = params?.name ?? params?.uri;
    return {
      authorization: `Bearer ${this.#apiKey}`,
      accept: 'application/json, text/event-stream',
      'content-type': 'application/json',
      'user-agent': `bv-mcp/${sdkVersion}`,
      ...(version === undefined ? {} : { 'mcp-protocol-version': version }),
      ...(typeof own === 'string' && method !== undefined ? { 'mcp-method': method } : {}),
      ...(typeof own === 'string' && name !== undefined ? { 'mcp-name': name } : {}),
    };
  }

  /** Passes a response on. What is no message of the protocol becomes an error of the request. */
  #answer({ id, method }: Message, response: Response, text: string): void {
    const messages = readMessages(text, response.headers.get('content-type') ?? '').map(parse);
    for (const message of messages.filter(isMessage)) {
      const { result } = message as { result?: { protocolVersion?: string } };
      if (method === 'initialize') this.#version = result?.protocolVersion;
      this.#send(message as object);
    }
    if (messages.some(isMessage) || (response.ok && messages.length === 0)) return;
    const { error } = (messages[0] ?? {}) as { error?: { code?: string; message?: string } };
    const reason =
      error?.code === undefined ? 'the response is not from this API' : `${error.code}: ${error.message}`;
    this.#fail(id, codes.transport, `status ${response.status}: ${reason}`);
  }

  async forward(line: string): Promise<void> {
    const parsed = parse(line);
    if (parsed === undefined) return this.#fail(null, codes.parse, 'the line is not JSON');
    // The API refuses what is no message.
    const message = (typeof parsed === 'object' && parsed !== null ? parsed : {}) as Message;
    if (message.method === 'notifications/cancelled') {
      this.#running.get(message.params?.requestId)?.abort();
      return undefined;
    }
    const { id } = message;
    const controller = new AbortController();
    // `AbortSignal.any` needs Node 20.3.
    const timeout = new Error(`no response within ${timeoutMs} ms`);
    const timer = setTimeout(() => controller.abort(timeout), timeoutMs);
    this.#running.set(id, controller);
    try {
      const { signal } = controller;
      const init = { method: 'POST', headers: this.#headers(message), body: line, signal };
      const response = await fetch(this.#url, { ...init, redirect: 'manual' });
      this.#answer(message, response, await response.text());
    } catch (error) {
      // A cancelled request gets no response.
      const isCancelled = controller.signal.aborted && controller.signal.reason !== timeout;
      if (!isCancelled) this.#fail(id, codes.transport, describeError(error));
    } finally {
      clearTimeout(timer);
      this.#running.delete(id);
    }
    return undefined;
  }
}

/** Address of the server: next to the version, not below it. */
const getMcpUrl = (baseUrl: string): string => `${baseUrl.replace(/\/v\d+\/*$|\/+$/, '')}/mcp`;

/** Forwards each line of the input until it ends. */
export async function runMcp(
  { baseUrl, apiKey }: Settings,
  input: Readable,
  output: Writable,
): Promise<void> {
  const forwarder = new Forwarder(getMcpUrl(baseUrl), apiKey, output);
  const running = new Set<Promise<void>>();
  for await (const line of createInterface({ input })) {
    if (line.trim() === '') continue;
    while (running.size >= maxConcurrent) await Promise.race(running);
    const forwarded = forwarder.forward(line).finally(() => running.delete(forwarded));
    running.add(forwarded);
  }
  await Promise.all(running);
}
