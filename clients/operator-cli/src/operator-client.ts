import { once } from 'node:events';
import http, { type IncomingMessage } from 'node:http';
import https from 'node:https';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import type { Target } from './config.ts';
import { exitStatus, Failure } from './failure.ts';
import { toRefusalFailure, type Refusal } from './refusal.ts';

export type Call = { method: string; path: string; body?: unknown; stream?: AsyncIterable<Uint8Array> };
export type ApiResponse = { data: unknown; pagination?: { next_cursor: string | null; has_more: boolean } };

/** Longer than the operator API waits for a service, so that its response arrives before this timeout. */
const timeoutMs = 6 * 60_000;

/** Calls the operator API once. Throws a `Failure` with hints unless the call succeeds. */
export async function callOperatorApi(target: Target, call: Call): Promise<ApiResponse> {
  const response = await send(target, call);
  const body = await readJson(response, target);
  if (response.ok && isSuccess(body)) return body;
  if (!isRefusal(body))
    throw response.status >= 500 ? proxyFailure(target, response) : notOperatorApi(target, response.status);
  throw toRefusalFailure(body, response, { target, call });
}

async function send(target: Target, { method, path, body, stream }: Call): Promise<Response> {
  try {
    if (stream !== undefined) return await upload(target, path, stream);
    return await fetch(target.url + path, {
      method,
      headers: {
        authorization: `Bearer ${target.token}`,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      redirect: 'manual',
      signal: AbortSignal.timeout(timeoutMs),
    });
  } catch (error) {
    throw toFailure(error, target);
  }
}

/**
 * Streams lines in one request. `fetch` waits five minutes for a response, but scoring the days of hours of lines may
 * take longer. So this uses `node:http`.
 */
async function upload(target: Target, path: string, stream: AsyncIterable<Uint8Array>): Promise<Response> {
  const url = new URL(target.url + path);
  const sent = (url.protocol === 'https:' ? https : http).request(url, {
    method: 'POST',
    headers: { authorization: `Bearer ${target.token}`, 'content-type': 'application/x-ndjson' },
  });
  const lines = Readable.from(stream);
  // The promises below report errors. A refusal can also close the connection while lines are still being sent.
  sent.on('error', () => {});
  const responded = once(sent, 'response') as Promise<[IncomingMessage]>;
  try {
    const [response] = await Promise.race([responded, pipeline(lines, sent).then(() => responded)]);
    const { statusCode: status = 502, statusMessage: statusText = '' } = response;
    const headers = Object.entries(response.headers).map(([name, value]): [string, string] => [
      name,
      String(value),
    ]);
    return new Response(await text(response), { status, statusText, headers });
  } finally {
    sent.destroy();
    lines.destroy();
  }
}

function toFailure(error: unknown, target: Target): Failure {
  const cause = (error as Error).cause;
  if (error instanceof Failure) return error;
  if (cause instanceof Failure) return cause;
  if (error instanceof TypeError && /ByteString|header/i.test(error.message)) {
    return new Failure(
      exitStatus.usage,
      `The token of ${target.tokenSource} has characters that are not allowed in a header`,
    );
  }
  const timedOut = (error as Error).name === 'TimeoutError';
  const reason = timedOut ? `no response within ${timeoutMs / 1000} s` : describeError(cause ?? error);
  return new Failure(
    exitStatus.unreachable,
    `The operator API at ${target.url} cannot be reached: ${reason}`,
    {
      hints: [
        `The address comes from ${target.urlSource}. Is the gateway running (\`npm start\`), and is this its OPERATOR_PORT?`,
        'A change in progress may have been stored. Check before you repeat it.',
      ],
    },
  );
}

function describeError(error: unknown): string {
  const { code, message, errors } = error as {
    code?: string;
    message?: string;
    errors?: { message: string }[];
  };
  const text = message === undefined || message === '' ? (errors?.[0]?.message ?? code) : message;
  return text ?? String(error);
}

async function readJson(response: Response, target: Target): Promise<unknown> {
  let text: string;
  try {
    text = await response.text();
  } catch (error) {
    throw toFailure(error, target);
  }
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

const isSuccess = (body: unknown): body is ApiResponse =>
  typeof body === 'object' && body !== null && 'data' in body;

const isRefusal = (body: unknown): body is Refusal =>
  typeof (body as Partial<Refusal> | undefined)?.error?.code === 'string';

/** The gateway returns its error envelope for every failure. Without the envelope a proxy sent the response. */
function proxyFailure(target: Target, { status, statusText }: Response): Failure {
  return new Failure(
    exitStatus.unreachable,
    `${target.url} returned ${status} ${statusText} without an error of the operator API`,
    {
      hints: [
        'A proxy or load balancer sent this response. Is the gateway behind it running and ready (`/readyz`)?',
        `The address comes from ${target.urlSource}.`,
        'A change in progress may have been stored. Check before you repeat it.',
      ],
    },
  );
}

function notOperatorApi(target: Target, status: number): Failure {
  return new Failure(
    exitStatus.otherServer,
    `${target.url} returned ${status} with a body that is not of the operator API`,
    {
      hints: [
        `The address comes from ${target.urlSource}. Another server listens there, such as a website or a proxy.`,
        "The operator API listens on the gateway's OPERATOR_PORT.",
      ],
    },
  );
}
