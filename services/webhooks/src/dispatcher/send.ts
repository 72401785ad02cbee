import type { IncomingMessage } from 'node:http';
import { controlCharacter } from '@bv/contract';
import { BodyBuffer, HeadersTooLargeError, sendRequest } from '@bv/http';
import type { Config } from '../config.ts';
import type { CommonContext } from '../context.ts';
import { isAddressAllowed } from '../domain/address.ts';
import { parseTarget, type Target } from '../domain/public-url.ts';
import { AttemptError, type DeliveryErrorCode } from './attempt-error.ts';
import { pinnedConnector } from './connect.ts';

type SendSettings = Pick<
  Config,
  | 'WEBHOOKS_CONNECT_TIMEOUT_MS'
  | 'WEBHOOKS_TOTAL_TIMEOUT_MS'
  | 'WEBHOOKS_RESPONSE_MAX_BYTES'
  | 'WEBHOOKS_EXTRA_CA'
>;
type CheckContext = Pick<CommonContext, 'resolveHost' | 'urlPolicy'>;
export type SendContext = CheckContext & { config: SendSettings };

export type WebhookRequest = { url: string; headers: Record<string, string>; body: string };

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
 * Makes one attempt under one deadline: check the URL, resolve, check every address, connect to a checked one, POST,
 * read a bounded response. `stop` aborts it early: the receiver may then have received the event or not.
 */
export async function send(
  request: WebhookRequest,
  ctx: SendContext,
  stop: AbortSignal,
): Promise<SendResult> {
  const startedAt = performance.now();
  const signal = AbortSignal.any([stop, AbortSignal.timeout(ctx.config.WEBHOOKS_TOTAL_TIMEOUT_MS)]);
  const received: Partial<SendResult> = {};
  let error: DeliveryErrorCode | null = null;
  try {
    await exchange(request, ctx, signal, received);
  } catch (caught) {
    error = signal.aborted ? 'timeout' : toErrorCode(caught);
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
  const { target } = parsed;
  const addresses = await rejectOnAbort(checkedAddresses(target, ctx), signal);
  const { WEBHOOKS_CONNECT_TIMEOUT_MS: timeoutMs, WEBHOOKS_RESPONSE_MAX_BYTES: maxBodyBytes } = ctx.config;
  const { hostname, port, url } = target;
  const secure = url.protocol === 'https:';
  const connector = pinnedConnector({
    hostname,
    port,
    addresses,
    secure,
    timeoutMs,
    signal,
    ca: ctx.config.WEBHOOKS_EXTRA_CA,
  });
  try {
    const response = await sendRequest({
      method: 'POST',
      url,
      headers: {
        'content-type': 'application/json',
        'user-agent': 'BrandVisibility-Webhooks/1.0',
        accept: '*/*',
        'accept-encoding': 'identity',
        ...request.headers,
      },
      body: request.body,
      signal,
      maxBodyBytes,
      // One connection per attempt: a pooled one would outlive the check of its address.
      connection: { createConnection: connector.createConnection },
    });
    received.statusCode = response.statusCode ?? null;
    received.retryAfter = response.headersDistinct['retry-after'];
    await readResponse(response, maxBodyBytes, received);
  } finally {
    // Also ends a body that is still arriving.
    connector.destroy();
  }
}

/** Returns the addresses of the host. Rejects with `address_not_public` when one of them is not public. */
export async function checkedAddresses(target: Target, ctx: CheckContext): Promise<string[]> {
  if (target.address !== null) return [target.address];
  const addresses = await ctx.resolveHost(target.hostname).catch((cause: unknown) => {
    throw new AttemptError('dns_failure', { cause });
  });
  const allowed = addresses.every((address) => isAddressAllowed(address, ctx.urlPolicy.addresses));
  if (!allowed || addresses.length === 0) throw new AttemptError('address_not_public');
  return addresses;
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

/** Resolves with the promise, or rejects with `timeout` when the signal fires. */
function rejectOnAbort<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const onAbort = (): void => reject(new AttemptError('timeout'));
    signal.addEventListener('abort', onAbort, { once: true });
    promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', onAbort));
    if (signal.aborted) onAbort();
  });
}
