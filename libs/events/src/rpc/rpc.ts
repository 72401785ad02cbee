import { ApiError } from '@bv/contract';
import { injectTraceContext, extractTraceContext, withSpan } from '@bv/telemetry';
import type { Logger } from '@bv/telemetry';
import { errors, headers } from '@nats-io/nats-core';
import type { Msg } from '@nats-io/nats-core';
import { z } from 'zod';
import type { Nats } from '../nats/connect.ts';

export type Rpc<Request extends z.ZodType = z.ZodType, Reply extends z.ZodType = z.ZodType> = {
  readonly subject: string;
  /** Timeout of the reply. */
  readonly timeoutMs: number;
  readonly request: Request;
  readonly reply: Reply;
};

export function defineRpc<Request extends z.ZodType, Reply extends z.ZodType>(
  rpc: Rpc<Request, Reply>,
): Rpc<Request, Reply> {
  return Object.freeze(rpc);
}

export type RpcRequest<R extends Rpc> = z.infer<R['request']>;
export type RpcReply<R extends Rpc> = z.infer<R['reply']>;

type UnavailableReason = 'no_responders' | 'timeout' | 'disconnected' | 'busy' | 'failed';

/** The call failed and may succeed later. Uncaught, the error becomes a 503 response. */
export class RpcUnavailable extends ApiError {
  override readonly name = 'RpcUnavailable';
  /** For the log. Public clients see only the message. */
  readonly subject: string;
  readonly reason: UnavailableReason;

  constructor(subject: string, reason: UnavailableReason, options?: ErrorOptions) {
    const unavailable =
      reason === 'disconnected' ? 'NATS cannot be reached' : `${subject.split('.')[1]} cannot answer`;
    super('api_unavailable', { ...options, operatorMessage: `${unavailable} now` });
    this.subject = subject;
    this.reason = reason;
  }
}

const Response = z.union([
  z.object({ ok: z.literal(true), reply: z.unknown() }),
  z.object({ ok: z.literal(false), reason: z.enum(['busy', 'invalid_request', 'failed']) }),
]);
type Response = z.infer<typeof Response>;

/**
 * Sends a request and returns the reply. Throws `RpcUnavailable`; any other error is a bug. `timeoutMs` is for calls that
 * share a deadline.
 */
export async function callRpc<R extends Rpc>(
  nats: Nats,
  rpc: R,
  input: RpcRequest<R>,
  timeoutMs = rpc.timeoutMs,
): Promise<RpcReply<R>> {
  const { subject } = rpc;
  // Fail at once, because the client would send the request after the reconnect.
  if (!nats.isConnected()) throw new RpcUnavailable(subject, 'disconnected');
  const response = await withSpan(`request ${subject}`, { 'messaging.system': 'nats' }, async () => {
    const carrier = headers();
    for (const [key, value] of Object.entries(injectTraceContext({}))) carrier.set(key, String(value));
    const body = JSON.stringify(rpc.request.parse(input));
    const message = await request(nats, subject, body, { timeout: timeoutMs, headers: carrier });
    return Response.parse(message.json());
  });
  if (response.ok) return rpc.reply.parse(response.reply) as RpcReply<R>;
  if (response.reason === 'invalid_request') throw new Error(`${subject} rejected the request`);
  throw new RpcUnavailable(subject, response.reason);
}

async function request(
  nats: Nats,
  subject: string,
  body: string,
  options: { timeout: number; headers: ReturnType<typeof headers> },
): Promise<Msg> {
  try {
    return await nats.connection.request(subject, body, options);
  } catch (error) {
    if (error instanceof errors.TimeoutError) throw new RpcUnavailable(subject, 'timeout', { cause: error });
    const hasNoResponder = error instanceof errors.RequestError && error.isNoResponders();
    throw new RpcUnavailable(subject, hasNoResponder ? 'no_responders' : 'disconnected', { cause: error });
  }
}

export type ServeOptions = {
  /** Replicas of one queue share the requests. */
  queue: string;
  log: Logger;
  /** Further requests get the response `busy` at once. */
  maxInFlight?: number;
};

export type RpcServer = { stop(): Promise<void> };

export function serveRpc<R extends Rpc>(
  nats: Nats,
  rpc: R,
  handler: (request: RpcRequest<R>) => Promise<RpcReply<R>>,
  options: ServeOptions,
): RpcServer {
  const { queue, log, maxInFlight = 100 } = options;
  const running = new Set<Promise<void>>();

  const handle = async (message: Msg): Promise<Response> => {
    const input = rpc.request.safeParse(parseJson(message));
    if (!input.success) return { ok: false, reason: 'invalid_request' };
    try {
      const reply = await extractTraceContext({ traceparent: message.headers?.get('traceparent') }, () =>
        withSpan(`serve ${rpc.subject}`, { 'messaging.system': 'nats' }, () =>
          handler(input.data as RpcRequest<R>),
        ),
      );
      return { ok: true, reply: rpc.reply.parse(reply) };
    } catch (error) {
      log.error({ err: error, rpc: rpc.subject }, 'request failed');
      return { ok: false, reason: 'failed' };
    }
  };
  const respond = (message: Msg, body: Response): void => {
    try {
      message.respond(JSON.stringify(body));
    } catch (error) {
      log.error({ err: error, rpc: rpc.subject }, 'response could not be sent');
    }
  };
  const subscription = nats.connection.subscribe(rpc.subject, {
    queue,
    callback: (error, message) => {
      if (error) return log.error({ err: error, rpc: rpc.subject }, 'request could not be received');
      if (running.size >= maxInFlight) return respond(message, { ok: false, reason: 'busy' });
      const promise = handle(message)
        .then((body) => respond(message, body))
        .finally(() => running.delete(promise));
      running.add(promise);
    },
  });
  return {
    stop: async () => {
      if (!subscription.isClosed() && nats.isConnected()) await subscription.drain();
      else subscription.unsubscribe();
      await Promise.all(running);
    },
  };
}

function parseJson(message: Msg): unknown {
  try {
    return message.json();
  } catch {
    return undefined;
  }
}
