import { once } from 'node:events';
import http, { type IncomingMessage } from 'node:http';
import https from 'node:https';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import type { Target } from './config.ts';
import { exitStatus, Failure } from './failure.ts';
import { refusalOf, type Refusal } from './refusal.ts';

export type Call = { method: string; path: string; body?: unknown; stream?: AsyncIterable<Uint8Array> };
export type Answer = { data: unknown; pagination?: { next_cursor: string | null; has_more: boolean } };

/** Longer than the plane itself waits for a service, so that its answer comes first. */
const timeoutMs = 6 * 60_000;

/** One call of the operator API; whatever does not succeed becomes a `Failure` that says what to do. */
export async function callPlane(target: Target, call: Call): Promise<Answer> {
  const response = await send(target, call);
  const body = await readJson(response, target);
  if (response.ok && isAnswer(body)) return body;
  if (!isRefusal(body))
    throw response.status >= 500 ? broken(target, response) : notThePlane(target, response.status);
  throw refusalOf(body, response, { target, call });
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
    throw asFailure(error, target);
  }
}

/**
 * Sends lines for as long as there are any. Not by fetch: it gives an answer five minutes, and after hours of lines the
 * scores of all their days may take longer.
 */
async function upload(target: Target, path: string, stream: AsyncIterable<Uint8Array>): Promise<Response> {
  const url = new URL(target.url + path);
  const sent = (url.protocol === 'https:' ? https : http).request(url, {
    method: 'POST',
    headers: { authorization: `Bearer ${target.token}`, 'content-type': 'application/x-ndjson' },
  });
  const lines = Readable.from(stream);
  // Told by the promises below; a refusal can also end the connection under what is still being sent.
  sent.on('error', () => {});
  const answered = once(sent, 'response') as Promise<[IncomingMessage]>;
  try {
    const [answer] = await Promise.race([answered, pipeline(lines, sent).then(() => answered)]);
    const { statusCode: status = 502, statusMessage: statusText = '' } = answer;
    const headers = Object.entries(answer.headers).map(([name, value]): [string, string] => [
      name,
      String(value),
    ]);
    return new Response(await text(answer), { status, statusText, headers });
  } finally {
    sent.destroy();
    lines.destroy();
  }
}

function asFailure(error: unknown, target: Target): Failure {
  const cause = (error as Error).cause;
  if (error instanceof Failure) return error;
  if (cause instanceof Failure) return cause;
  if (error instanceof TypeError && /ByteString|header/i.test(error.message)) {
    return new Failure(
      exitStatus.usage,
      `The token of ${target.tokenSource} has characters no header can carry`,
    );
  }
  const timedOut = (error as Error).name === 'TimeoutError';
  const reason = timedOut ? `no answer in ${timeoutMs / 1000} s` : reasonOf(cause ?? error);
  return new Failure(
    exitStatus.unreachable,
    `The operator API at ${target.url} cannot be reached: ${reason}`,
    {
      advice: [
        `The address comes from ${target.urlSource}. Is the gateway running (\`npm start\`), and is this its OPERATOR_PORT?`,
        'A change that was under way may have been stored: look before repeating it.',
      ],
    },
  );
}

function reasonOf(error: unknown): string {
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
    throw asFailure(error, target);
  }
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

const isAnswer = (body: unknown): body is Answer =>
  typeof body === 'object' && body !== null && 'data' in body;

const isRefusal = (body: unknown): body is Refusal =>
  typeof (body as Partial<Refusal> | undefined)?.error?.code === 'string';

/** A gateway that fails answers with the envelope all the same: this one stands before it. */
function broken(target: Target, { status, statusText }: Response): Failure {
  return new Failure(
    exitStatus.unreachable,
    `${target.url} answered ${status} ${statusText} and nothing more`,
    {
      advice: [
        'A proxy or load balancer says so, not the gateway: is the gateway behind it running and ready (`/readyz`)?',
        `The address comes from ${target.urlSource}.`,
        'A change that was under way may have been stored: look before repeating it.',
      ],
    },
  );
}

function notThePlane(target: Target, status: number): Failure {
  return new Failure(
    exitStatus.unreachable,
    `${target.url} answered ${status}, but is not the operator API`,
    {
      advice: [
        `The address comes from ${target.urlSource}; the plane listens on the gateway's OPERATOR_PORT.`,
      ],
    },
  );
}
