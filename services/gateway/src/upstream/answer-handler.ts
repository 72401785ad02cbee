import type { IncomingHttpHeaders, ServerResponse } from 'node:http';
import type { Readable } from 'node:stream';
import { BodyBuffer } from '@bv/http';
import type { Dispatcher } from 'undici';
import { perTurn } from '../per-turn.ts';

export type UpstreamRequest = {
  method: string;
  path: string;
  headers: Record<string, string>;
  body: Buffer | Readable | null;
};

export type UpstreamHead = { status: number; headers: IncomingHttpHeaders };

/** `body` is empty where the answer was streamed. */
export type UpstreamAnswer = UpstreamHead & { body: Buffer };

/** The code of a refusal that a service has answered with; undefined where the body is no envelope. */
export function refusalCode({ body }: UpstreamAnswer): string | undefined {
  try {
    const envelope = JSON.parse(body.toString()) as { error?: { code?: string } } | null;
    return envelope?.error?.code;
  } catch {
    return undefined;
  }
}

export type Delivery = {
  /** Judges the head, by throwing, and says where the body goes; undefined keeps it for the caller. */
  target(head: UpstreamHead): ServerResponse | undefined;
  /** Whose leaving ends the call; undefined for a write, which is finished whoever listens. */
  client: ServerResponse | undefined;
} & Patience;

type Patience =
  /**
   * By then an answer that is kept is there as a whole, or one that streams has begun: waiting for a connection counts.
   * As long may pass until more of it comes, and until a client has taken what was sent ahead of it.
   */
  | { deadlineMs: number; silenceMs?: undefined }
  /** From the end of the request to the head of its answer, and between its pieces: for bodies that take long. */
  | { silenceMs: number; deadlineMs?: undefined };

type FailureReason = 'connection' | 'timeout' | 'busy' | 'client_gone' | 'too_large';

/** No answer is to be had. `sent`: the service may have the request. */
export class UpstreamFailure extends Error {
  override readonly name = 'UpstreamFailure';
  readonly reason: FailureReason;
  readonly sent: boolean;

  constructor(reason: FailureReason, sent: boolean, cause?: unknown) {
    super(`upstream ${reason}`, { cause });
    this.reason = reason;
    this.sent = sent;
  }
}

/** A whole answer in one chunk is the usual case; those of a turn are sent in a row. */
const sendWhole = perTurn<{ target: ServerResponse; body: Buffer }>((answers) => {
  for (const { target, body } of answers) if (!target.destroyed) target.end(body);
});

const nothing = Buffer.alloc(0);
const bufferMaxBytes = 16 * 1_024 * 1_024;
/**
 * What is taken of an answer beyond what its client has taken. Most are smaller, and so give back their connection to
 * the service however slowly they are read: a few clients that stall would else have all of them.
 */
const aheadMaxBytes = 256 * 1_024;
/** Each piece costs hundreds of bytes more than its own. */
const aheadMaxPieces = 1_024;
const timeouts = new Set(['UND_ERR_HEADERS_TIMEOUT', 'UND_ERR_BODY_TIMEOUT']);

/** One dispatched call: streams with backpressure or buffers, and leaves nothing behind when a side goes away. */
export class AnswerHandler implements Dispatcher.DispatchHandler {
  readonly #delivery: Delivery;
  readonly #resolve: (answer: UpstreamAnswer) => void;
  readonly #reject: (error: unknown) => void;
  #controller: Dispatcher.DispatchController | undefined;
  #head: UpstreamHead | undefined;
  #target: ServerResponse | undefined;
  /** All of the body, where it came in one chunk. */
  #whole: Buffer | undefined;
  /** An answer that is kept. */
  #kept: BodyBuffer | undefined;
  #piecesAhead = 0;
  #ended = false;
  #deadline: NodeJS.Timeout | undefined;

  constructor(
    delivery: Delivery,
    resolve: (answer: UpstreamAnswer) => void,
    reject: (error: unknown) => void,
  ) {
    this.#delivery = delivery;
    this.#resolve = resolve;
    this.#reject = reject;
    // A reader that leaves in mid-answer must not hold its upstream connection.
    delivery.client?.on('close', this.#onClientClose);
    this.#startDeadline();
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller;
    if (this.#ended) controller.abort(new Error('given up before it was sent'));
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
      return this.#pass(this.#target, controller, chunk);
    }
    this.#kept ??= new BodyBuffer(bufferMaxBytes);
    if (!this.#kept.append(chunk)) this.#fail(this.#failure('too_large'));
  }

  onResponseEnd(): void {
    if (this.#ended || this.#head === undefined) return;
    this.#end();
    if (this.#target !== undefined && this.#whole !== undefined) {
      sendWhole({ target: this.#target, body: this.#whole });
    } else {
      this.#target?.end();
    }
    this.#resolve({ ...this.#head, body: this.#kept?.toBuffer() ?? nothing });
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
    if (this.#ended) return;
    const code = (error as NodeJS.ErrnoException).code ?? '';
    this.#fail(this.#failure(timeouts.has(code) ? 'timeout' : 'connection', error));
  }

  #pass(target: ServerResponse, controller: Dispatcher.DispatchController, chunk: Buffer): void {
    if (Number(this.#head?.headers['content-length']) === chunk.length) {
      this.#whole = chunk;
      return;
    }
    this.#startDeadline();
    if (target.destroyed) return;
    if (target.write(chunk)) {
      this.#piecesAhead = 0;
      return;
    }
    this.#piecesAhead += 1;
    if (target.writableLength < aheadMaxBytes && this.#piecesAhead < aheadMaxPieces) return;
    controller.pause();
    // A client that leaves a write drains nothing any more, and the rest must still flow.
    target.once('drain', this.#onDrain).once('close', this.#onDrain);
  }

  #failure(reason: FailureReason, cause?: unknown): UpstreamFailure {
    return new UpstreamFailure(reason, this.#controller !== undefined, cause);
  }

  #fail(error: unknown): void {
    if (this.#ended) return;
    this.#end();
    // An answer cut short must not look whole.
    this.#target?.destroy();
    this.#reject(error);
    this.#controller?.abort(error instanceof Error ? error : new Error(String(error)));
  }

  /** Or starts it anew. */
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
