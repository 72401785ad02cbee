import { ApiError } from '@bv/contract';
import { injectTraceContext, extractTraceContext, withSpan } from '@bv/telemetry';
import type { Logger } from '@bv/telemetry';
import { errors, headers } from '@nats-io/nats-core';
import type { Msg } from '@nats-io/nats-core';
import { z } from 'zod';
import type { Nats } from '../nats/connect.ts';

export type Rpc<Request extends z.ZodType = z.ZodType, Reply extends z.ZodType = z.ZodType> = {
  readonly subject: string;
  /** How long a caller waits for the reply. */
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

/** No reply is available now; the same call may succeed later. Uncaught, it becomes a 503 response. */
export class RpcUnavailable extends ApiError {
  override readonly name = 'RpcUnavailable';
  /** Both for the log alone; the message is what a client may read. */
  readonly subject: string;
  readonly reason: UnavailableReason;

  constructor(subject: string, reason: UnavailableReason, options?: ErrorOptions) {
    super('api_unavailable', options);
    this.subject = subject;
    this.reason = reason;
  }
}

const Answer = z.union([
  z.object({ ok: z.literal(true), reply: z.unknown() }),
  z.object({ ok: z.literal(false), reason: z.enum(['busy', 'invalid_request', 'failed']) }),
]);
type Answer = z.infer<typeof Answer>;

/**
 * Sends a request and returns the reply. Throws `RpcUnavailable`; any other error is a bug. Only calls that share a
 * deadline have a timeout of their own.
 */
export async function callRpc<R extends Rpc>(
  nats: Nats,
  rpc: R,
  input: RpcRequest<R>,
  timeoutMs = rpc.timeoutMs,
): Promise<RpcReply<R>> {
  const { subject } = rpc;
  // The client would keep the request for the reconnect; the caller is better served by knowing now.
  if (!nats.isConnected()) throw new RpcUnavailable(subject, 'disconnected');
  const answer = await withSpan(`request ${subject}`, { 'messaging.system': 'nats' }, async () => {
    const carrier = headers();
    for (const [key, value] of Object.entries(injectTraceContext({}))) carrier.set(key, String(value));
    const body = JSON.stringify(rpc.request.parse(input));
    const message = await request(nats, subject, body, { timeout: timeoutMs, headers: carrier });
    return Answer.parse(message.json());
  });
  if (answer.ok) return rpc.reply.parse(answer.reply) as RpcReply<R>;
  if (answer.reason === 'invalid_request') throw new Error(`${subject} refused the request`);
  throw new RpcUnavailable(subject, answer.reason);
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
    const unanswered = error instanceof errors.RequestError && error.isNoResponders();
    throw new RpcUnavailable(subject, unanswered ? 'no_responders' : 'disconnected', { cause: error });
  }
}

export type ServeOptions = {
  /** Replicas of one queue share the requests. */
  queue: string;
  log: Logger;
  /** Requests above this number are answered `busy` at once. */
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

  const answer = async (message: Msg): Promise<Answer> => {
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
  const respond = (message: Msg, body: Answer): void => {
    try {
      message.respond(JSON.stringify(body));
    } catch (error) {
      log.error({ err: error, rpc: rpc.subject }, 'reply cannot be sent');
    }
  };
  const subscription = nats.connection.subscribe(rpc.subject, {
    queue,
    callback: (error, message) => {
      if (error) return log.error({ err: error, rpc: rpc.subject }, 'request cannot be read');
      if (running.size >= maxInFlight) return respond(message, { ok: false, reason: 'busy' });
      const promise = answer(message)
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
