import type { IncomingHttpHeaders } from 'node:http';
import type { Readable, Writable } from 'node:stream';
import { ApiError } from '@bv/contract';
import { BodyBuffer } from '@bv/http';
import { batchPerTick } from '@bv/resilience';
import type { Dispatcher } from 'undici';

export type UpstreamRequest = {
  method: string;
  path: string;
  headers: Record<string, string>;
  body: Buffer | Readable | null;
};

export type UpstreamHead = { status: number; headers: IncomingHttpHeaders };

/** `body` is empty if the response was streamed. */
export type UpstreamResponse = UpstreamHead & { body: Buffer };

/** The error code in the response of a service; undefined if the body is no error envelope. */
export function refusalCode({ body }: UpstreamResponse): string | undefined {
  try {
    const envelope = JSON.parse(body.toString()) as { error?: { code?: string } } | null;
    return envelope?.error?.code;
  } catch {
    return undefined;
  }
}

export type Delivery = {
  /** Validates the head, may throw, and returns the target of the body. Undefined buffers it for the caller. */
  target(head: UpstreamHead): Writable | undefined;
  /** The call is aborted when this client disconnects. Undefined for a write, which always completes. */
  client: Writable | undefined;
} & Deadlines;

type Deadlines =
  /**
   * Maximum time until a buffered response is complete or a streamed one has started, including the wait for a
   * connection. Also the maximum time between its pieces, and until a slow client has read what was sent ahead.
   */
  | { deadlineMs: number; idleTimeoutMs?: undefined }
  /** Maximum time from the end of the request to the head of its response, and between its pieces. For long bodies. */
  | { idleTimeoutMs: number; deadlineMs?: undefined };

type FailureReason = 'connection' | 'timeout' | 'busy' | 'client_gone' | 'too_large';

/** The service sent no complete response. `sent`: it may have received the request. The client receives a `503`. */
export class UpstreamFailure extends ApiError {
  override readonly name = 'UpstreamFailure';
  readonly reason: FailureReason;
  readonly sent: boolean;

  constructor(reason: FailureReason, sent: boolean, cause?: unknown) {
    super('api_unavailable', { cause });
    this.reason = reason;
    this.sent = sent;
  }
}

/** Most responses arrive in one chunk. Those of one tick are sent together. */
const sendComplete = batchPerTick<{ target: Writable; body: Buffer }>((responses) => {
  for (const { target, body } of responses) if (!target.destroyed) target.end(body);
});

const emptyBody = Buffer.alloc(0);
const maxBufferBytes = 16 * 1_024 * 1_024;
/**
 * Bytes that are read from a service ahead of the client. Most responses are smaller, so they free their connection to the
 * service however slowly the client reads. Otherwise a few stalled clients could occupy all connections.
 */
const maxAheadBytes = 256 * 1_024;
/** Each piece costs hundreds of bytes in addition to its own. */
const maxAheadPieces = 1_024;
const timeouts = new Set(['UND_ERR_HEADERS_TIMEOUT', 'UND_ERR_BODY_TIMEOUT']);

/** Handles one call: streams the response with backpressure or buffers it, and cleans up when a side disconnects. */
export class ResponseHandler implements Dispatcher.DispatchHandler {
  readonly #delivery: Delivery;
  readonly #repeat: (sent: boolean) => boolean;
  readonly #resolve: (response: UpstreamResponse) => void;
  readonly #reject: (error: unknown) => void;
  #controller: Dispatcher.DispatchController | undefined;
  #head: UpstreamHead | undefined;
  #target: Writable | undefined;
  /** The complete body, if it arrived in one chunk. */
  #complete: Buffer | undefined;
  /** The body of a buffered response. */
  #buffered: BodyBuffer | undefined;
  #piecesAhead = 0;
  #ended = false;
  #deadline: NodeJS.Timeout | undefined;

  /** `repeat` sends the request again, with this handler and its deadline, unless it returns false. */
  constructor(
    delivery: Delivery,
    repeat: (sent: boolean) => boolean,
    resolve: (response: UpstreamResponse) => void,
    reject: (error: unknown) => void,
  ) {
    this.#delivery = delivery;
    this.#repeat = repeat;
    this.#resolve = resolve;
    this.#reject = reject;
    // A client that disconnects during a response must not occupy the upstream connection.
    delivery.client?.on('close', this.#onClientClose);
    this.#startDeadline();
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller;
    if (this.#ended) controller.abort(new Error('aborted before it was sent'));
  }

  onResponseStart(
    _controller: Dispatcher.DispatchController,
    status: number,
    headers: IncomingHttpHeaders,
  ): void {
    if (status < 200 || this.#ended) return;
    this.#head = { status, headers };
    try {
      this.#target = this.#delivery.target(this.#head);
    } catch (error) {
      return this.#fail(error);
    }
    if (this.#target !== undefined) this.#startDeadline();
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Buffer): void {
    if (this.#ended) return;
    if (this.#target !== undefined) {
      return this.#forward(this.#target, controller, chunk);
    }
    this.#buffered ??= new BodyBuffer(maxBufferBytes);
    if (!this.#buffered.append(chunk)) this.#fail(this.#failure('too_large'));
  }

  onResponseEnd(): void {
    if (this.#ended || this.#head === undefined) return;
    this.#end();
    if (this.#target !== undefined && this.#complete !== undefined) {
      sendComplete({ target: this.#target, body: this.#complete });
    } else {
      this.#target?.end();
    }
    this.#resolve({ ...this.#head, body: this.#buffered?.toBuffer() ?? emptyBody });
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
    if (this.#ended) return;
    const code = (error as NodeJS.ErrnoException).code ?? '';
    if (timeouts.has(code)) return this.#fail(this.#failure('timeout', error));
    const failure = this.#failure('connection', error);
    // Part of a response that has started would reach the client twice.
    if (this.#head !== undefined || !this.#repeat(failure.sent)) return this.#fail(failure);
    this.#controller = undefined;
  }

  #forward(target: Writable, controller: Dispatcher.DispatchController, chunk: Buffer): void {
    if (Number(this.#head?.headers['content-length']) === chunk.length) {
      this.#complete = chunk;
      return;
    }
    this.#startDeadline();
    if (target.destroyed) return;
    if (target.write(chunk)) {
      this.#piecesAhead = 0;
      return;
    }
    this.#piecesAhead += 1;
    if (target.writableLength < maxAheadBytes && this.#piecesAhead < maxAheadPieces) return;
    controller.pause();
    // After a client has disconnected from a write no drain follows, but the rest of the response must be read.
    target.once('drain', this.#onDrain).once('close', this.#onDrain);
  }

  #failure(reason: FailureReason, cause?: unknown): UpstreamFailure {
    return new UpstreamFailure(reason, this.#controller !== undefined, cause);
  }

  #fail(error: unknown): void {
    if (this.#ended) return;
    this.#end();
    // A truncated response must not look complete.
    this.#target?.destroy();
    this.#reject(error);
    this.#controller?.abort(error instanceof Error ? error : new Error(String(error)));
  }

  /** Starts the deadline, or restarts it. */
  #startDeadline(): void {
    const { deadlineMs } = this.#delivery;
    if (deadlineMs === undefined) return;
    if (this.#deadline !== undefined) this.#deadline.refresh();
    else this.#deadline = setTimeout(() => this.#fail(this.#failure('timeout')), deadlineMs);
  }

  #end(): void {
    this.#ended = true;
    clearTimeout(this.#deadline);
    this.#delivery.client?.off('close', this.#onClientClose);
    this.#target?.off('drain', this.#onDrain).off('close', this.#onDrain);
  }

  readonly #onDrain = (): void => {
    this.#startDeadline();
    this.#piecesAhead = 0;
    this.#target?.off('drain', this.#onDrain).off('close', this.#onDrain);
    this.#controller?.resume();
  };

  readonly #onClientClose = (): void => this.#fail(this.#failure('client_gone'));
}
