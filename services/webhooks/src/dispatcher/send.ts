import { Client, type Dispatcher, errors } from 'undici';
import type { ResolveHost } from '../context.ts';
import { isAddressAllowed } from '../domain/address.ts';
import { parseTarget, type Target, type UrlPolicy } from '../domain/public-url.ts';
import { AttemptError, type DeliveryErrorCode } from './attempt-error.ts';
import { pinnedConnector } from './connect.ts';

type SendLimits = { connectTimeoutMs: number; totalTimeoutMs: number; responseMaxBytes: number };

export type SendDeps = {
  urlPolicy: UrlPolicy;
  resolveHost: ResolveHost;
  limits: SendLimits;
  ca?: string | undefined;
};

export type Sending = { url: string; headers: Record<string, string>; body: string };

export type SendResult = {
  ok: boolean;
  error: DeliveryErrorCode | null;
  statusCode: number | null;
  retryAfter: string | undefined;
  snippet: string | null;
  durationMs: number;
};

const snippetMaxBytes = 1024;

/**
 * One attempt: judge the URL, resolve, check every address, connect to a checked one, POST, read a bounded answer. All
 * of it under one deadline. `stop` gives up early; the caller then no longer knows what the receiver got.
 */
export async function send(sending: Sending, deps: SendDeps, stop: AbortSignal): Promise<SendResult> {
  const startedAt = performance.now();
  const signal = AbortSignal.any([stop, AbortSignal.timeout(deps.limits.totalTimeoutMs)]);
  const answer: Partial<SendResult> = {};
  let error: DeliveryErrorCode | null = null;
  try {
    await exchange(sending, deps, signal, answer);
  } catch (caught) {
    error = signal.aborted ? 'timeout' : codeOf(caught);
  }
  const { statusCode = null, snippet = null, retryAfter } = answer;
  if (error === null && !isSuccess(statusCode)) error = 'http_status';
  const durationMs = Math.round(performance.now() - startedAt);
  return { ok: error === null, error, statusCode, retryAfter, snippet, durationMs };
}

/** Fills in what was learnt, also when it then fails. */
async function exchange(
  sending: Sending,
  deps: SendDeps,
  signal: AbortSignal,
  answer: Partial<SendResult>,
): Promise<void> {
  const parsed = parseTarget(sending.url, deps.urlPolicy);
  if (!parsed.ok) throw new AttemptError('address_not_public');
  const { target } = parsed;
  const addresses = await aborting(checkedAddresses(target, deps), signal);
  const { connectTimeoutMs: timeoutMs, responseMaxBytes } = deps.limits;
  const { hostname, port, url } = target;
  const secure = url.protocol === 'https:';
  const connect = pinnedConnector({ hostname, port, addresses, secure, timeoutMs, signal, ca: deps.ca });
  // A client of its own for each attempt: no pooled connection outlives the check of its address.
  const client = new Client(url.origin, { connect, headersTimeout: 0, bodyTimeout: 0, allowH2: false });
  try {
    const response = await client.request({
      method: 'POST',
      path: url.pathname + url.search,
      headers: {
        'content-type': 'application/json',
        'user-agent': 'BrandVisibility-Webhooks/1.0',
        accept: '*/*',
        'accept-encoding': 'identity',
        ...sending.headers,
      },
      body: sending.body,
      signal,
    });
    answer.statusCode = response.statusCode;
    answer.retryAfter = single(response.headers['retry-after']);
    await readAnswer(response, responseMaxBytes, answer);
  } finally {
    // Also ends a body that is still coming.
    client.destroy().catch(() => undefined);
  }
}

/** The addresses of the host, all of them public: one that is not makes the whole name suspect. */
export async function checkedAddresses(
  target: Target,
  deps: Pick<SendDeps, 'resolveHost' | 'urlPolicy'>,
): Promise<string[]> {
  if (target.address !== null) return [target.address];
  const addresses = await deps.resolveHost(target.hostname).catch((cause: unknown) => {
    throw new AttemptError('dns_failure', { cause });
  });
  const allowed = addresses.every((address) => isAddressAllowed(address, deps.urlPolicy.addresses));
  if (!allowed || addresses.length === 0) throw new AttemptError('address_not_public');
  return addresses;
}

async function readAnswer(
  { body, statusCode }: Dispatcher.ResponseData,
  maxBytes: number,
  answer: Partial<SendResult>,
): Promise<void> {
  body.on('error', () => undefined);
  let size = 0;
  let head = Buffer.alloc(0);
  for await (const chunk of body as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (head.length < snippetMaxBytes) {
      head = Buffer.concat([head, chunk.subarray(0, snippetMaxBytes - head.length)]);
      answer.snippet = cleanText(head);
    }
    if (size <= maxBytes) continue;
    if (isSuccess(statusCode)) throw new AttemptError('response_too_large');
    return;
  }
}

/** Valid UTF-8 that Postgres and a terminal can take; a character cut at the end is left out. */
function cleanText(bytes: Buffer): string {
  const text = new TextDecoder().decode(bytes, { stream: true });
  // oxlint-disable-next-line no-control-regex -- control characters are what this takes out
  return text.replaceAll(/[\u0000-\u0008\u000b-\u001f\u007f]/g, '');
}

function isSuccess(statusCode: number | null): boolean {
  return statusCode !== null && statusCode >= 200 && statusCode < 300;
}

function codeOf(error: unknown): DeliveryErrorCode {
  if (error instanceof AttemptError) return error.code;
  if (error instanceof errors.HeadersOverflowError) return 'response_too_large';
  // Everything else the HTTP client says after connecting: reset, closed early, not HTTP.
  return 'connect_failed';
}

function single(header: string | string[] | undefined): string | undefined {
  return Array.isArray(header) ? header[0] : header;
}

/** The promise, or a rejection as soon as the signal fires. */
function aborting<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const late = (): void => reject(new AttemptError('timeout'));
    signal.addEventListener('abort', late, { once: true });
    promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', late));
    if (signal.aborted) late();
  });
}
