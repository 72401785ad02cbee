import type { IncomingMessage } from 'node:http';
import { controlCharacter } from '@bv/contract';
import { BodyBuffer, ClosedConnectionError, HeadersTooLargeError, sendRequest } from '@bv/http';
import type { Config } from '../config.ts';
import type { CommonContext } from '../context.ts';
import { parseTarget, type Target } from '../domain/public-url.ts';
import type { DispatcherMetrics } from '../telemetry.ts';
import { AttemptError, type DeliveryErrorCode } from './attempt-error.ts';
import type { Connections } from './connections.ts';

type SendSettings = Pick<Config, 'WEBHOOKS_TOTAL_TIMEOUT_MS' | 'WEBHOOKS_RESPONSE_MAX_BYTES'>;
export type SendContext = Pick<CommonContext, 'urlPolicy'> & {
  config: SendSettings;
  connections: Connections;
  metrics: Pick<DispatcherMetrics, 'resent'>;
};

export type WebhookRequest = {
  endpointId: string;
  url: string;
  headers: Record<string, string>;
  body: string;
};

export type SendResult = {
  ok: boolean;
  error: DeliveryErrorCode | null;
  statusCode: number | null;
  /** Every `Retry-After` header of the response. */
  retryAfter: readonly string[] | undefined;
  snippet: string | null;
  durationMs: number;
};

const snippetMaxBytes = 1024;

/**
 * Makes one attempt under one deadline: check the URL, POST on a connection to a checked address, read a bounded
 * response. `stop` aborts it early: the receiver may then have received the event or not.
 */
export async function send(
  request: WebhookRequest,
  ctx: SendContext,
  stop: AbortSignal,
): Promise<SendResult> {
  const startedAt = performance.now();
  // `AbortSignal.any` and `AbortSignal.timeout` take three times as much CPU time.
  const aborting = new AbortController();
  const abort = (): void => aborting.abort();
  const deadline = setTimeout(abort, ctx.config.WEBHOOKS_TOTAL_TIMEOUT_MS);
  stop.addEventListener('abort', abort);
  if (stop.aborted) abort();
  const { signal } = aborting;
  const received: Partial<SendResult> = {};
  let error: DeliveryErrorCode | null = null;
  try {
    await exchange(request, ctx, signal, received);
  } catch (caught) {
    error = signal.aborted ? 'timeout' : toErrorCode(caught);
  } finally {
    clearTimeout(deadline);
    stop.removeEventListener('abort', abort);
  }
  const { statusCode = null, snippet = null, retryAfter } = received;
  if (error === null && !isSuccess(statusCode)) error = 'http_status';
  const durationMs = Math.round(performance.now() - startedAt);
  return { ok: error === null, error, statusCode, retryAfter, snippet, durationMs };
}

/** Sets the known fields of `received`, also when it rejects. */
async function exchange(
  request: WebhookRequest,
  ctx: SendContext,
  signal: AbortSignal,
  received: Partial<SendResult>,
): Promise<void> {
  const parsed = parseTarget(request.url, ctx.urlPolicy);
  if (!parsed.ok) throw new AttemptError('address_not_public');
  const response = await post(request, parsed.target, ctx, signal);
  received.statusCode = response.statusCode ?? null;
  received.retryAfter = response.headersDistinct['retry-after'];
  if (isAmbiguous(response)) ctx.connections.closeAfter(response.socket);
  await readResponse(response, ctx.config.WEBHOOKS_RESPONSE_MAX_BYTES, received);
}

/**
 * Sends again when a kept connection turns out to be closed, once. The receiver may have received the event, and ignores
 * its `webhook-id` the second time.
 */
async function post(
  request: WebhookRequest,
  target: Target,
  ctx: SendContext,
  signal: AbortSignal,
): Promise<IncomingMessage> {
  const postOnce = (): Promise<IncomingMessage> =>
    sendRequest({
      method: 'POST',
      url: target.url,
      headers: {
        'content-type': 'application/json',
        'user-agent': 'BrandVisibility-Webhooks/1.0',
        accept: '*/*',
        'accept-encoding': 'identity',
        ...request.headers,
      },
      body: request.body,
      signal,
      maxBodyBytes: ctx.config.WEBHOOKS_RESPONSE_MAX_BYTES,
      agent: ctx.connections.agentOf(request.endpointId, target),
      isLenient: true,
    });
  try {
    return await postOnce();
  } catch (error) {
    if (!(error instanceof ClosedConnectionError)) throw error;
    // A receiver that restarted has closed the others too.
    ctx.connections.closeIdle(request.endpointId);
    ctx.metrics.resent();
    return postOnce();
  }
}

/** A strict parser might find another end, so the rest could be taken for the next response on the connection. */
function isAmbiguous({ statusCode, headers }: IncomingMessage): boolean {
  const isChunked = headers['transfer-encoding'] !== undefined;
  const { 'content-length': length } = headers;
  if (statusCode === 204 || statusCode === 304) return isChunked || Number(length ?? 0) > 0;
  return isChunked && length !== undefined;
}

async function readResponse(
  response: IncomingMessage,
  maxBytes: number,
  received: Partial<SendResult>,
): Promise<void> {
  let size = 0;
  const head = new BodyBuffer(snippetMaxBytes);
  try {
    for await (const chunk of response as AsyncIterable<Buffer>) {
      size += chunk.length;
      head.append(chunk.subarray(0, snippetMaxBytes - head.length));
      if (size <= maxBytes) continue;
      if (isSuccess(received.statusCode)) throw new AttemptError('response_too_large');
      return;
    }
  } finally {
    if (head.length > 0) received.snippet = toSnippet(head.toBuffer());
  }
}

const controlCharacters = new RegExp(controlCharacter, 'g');
/** Characters that reorder or break displayed lines: bidirectional controls, line and paragraph separators. */
const invisibleControls = /[\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/g;

/**
 * Converts the start of a response to text for partners: valid UTF-8 without control characters, except tabs and line
 * feeds. An incomplete character at the end is omitted.
 */
function toSnippet(bytes: Buffer): string {
  const text = new TextDecoder().decode(bytes, { stream: true });
  return text
    .replaceAll(controlCharacters, (control) => (control === '\t' || control === '\n' ? control : ''))
    .replaceAll(invisibleControls, '');
}

function isSuccess(statusCode: number | null | undefined): boolean {
  return typeof statusCode === 'number' && statusCode >= 200 && statusCode < 300;
}

function toErrorCode(error: unknown): DeliveryErrorCode {
  if (error instanceof AttemptError) return error.code;
  if (error instanceof HeadersTooLargeError) return 'response_too_large';
  // With TLS 1.3, a receiver rejects a missing client certificate only after the handshake.
  if (isTlsError(error)) return 'tls_failed';
  // All other errors of the HTTP client after connecting: reset, closed early, not HTTP.
  return 'connect_failed';
}

function isTlsError(error: unknown): boolean {
  const code = typeof error === 'object' && error !== null && 'code' in error ? String(error.code) : '';
  return code.startsWith('ERR_SSL_') || code === 'EPROTO';
}
