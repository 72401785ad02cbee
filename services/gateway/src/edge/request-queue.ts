import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { ApiError } from '@bv/contract';
import { closeLingering, discardInput, makeLast, refuseRaw } from './connection-close.ts';

export type QueuedRequest = {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  /** No request after this one is processed: where it ends is uncertain. */
  readonly isLast: boolean;
  /** Called at most once, when the requests in front allow it. */
  start(): void;
  /** Responds to a request whose rest the parser cannot read. */
  refuse(error: ApiError): void;
};

const safeMethods = new Set(['GET', 'HEAD', 'OPTIONS', 'TRACE']);
/** From here on the client's further requests stay in the socket. */
const maxWaiting = 64;

/**
 * The requests of one connection that have no response yet, in their order. RFC 9112, 9.3.2: only safe ones may run at
 * the same time, so an unsafe one runs alone.
 */
export class RequestQueue {
  readonly #socket: Socket;
  readonly #pending: QueuedRequest[] = [];
  /** So many of `#pending`, from its first on, have started. */
  #started = 0;
  #isHeld = false;
  #isClosing = false;
  /** A request with a response whose body is still arriving. */
  #unfinished: IncomingMessage | undefined;

  constructor(socket: Socket) {
    this.#socket = socket;
    socket.once('end', () => this.#onEnd());
  }

  add(queued: QueuedRequest): void {
    if (this.#isClosing) return discardInput(this.#socket);
    this.#unfinished = undefined;
    this.#pending.push(queued);
    queued.response.once('close', () => this.#onResponded(queued));
    if (queued.isLast) {
      this.#isClosing = true;
      makeLast(queued.response);
    }
    this.#startNext();
    if (!this.#isHeld && this.#pending.length - this.#started >= maxWaiting) this.#hold();
  }

  /** The parser cannot read on. Requests that arrived whole get their responses, then the connection closes. */
  fail(error: ApiError): void {
    const newest = this.#pending.at(-1);
    if (this.#isClosing && newest?.request.complete !== false) return discardInput(this.#socket);
    this.#close();
    if (newest !== undefined) {
      makeLast(newest.response);
      if (!newest.request.complete) newest.refuse(error);
    } else if (this.#unfinished?.complete === false) closeLingering(this.#socket);
    else refuseRaw(this.#socket, error);
  }

  /** The rest of the newest request did not arrive in time. It gets no response; those in front of it do. */
  expire(): void {
    const whole = this.#pending.filter(({ request }) => request.complete);
    const last = whole.at(-1);
    if (last === undefined) return void this.#socket.destroy();
    if (this.#isClosing) return;
    this.#pending.splice(whole.length);
    this.#started = Math.min(this.#started, whole.length);
    this.#close();
    makeLast(last.response);
  }

  /** For a socket that Node has detached from its server. */
  abort(): void {
    for (const { request, response } of this.#pending) {
      request.destroy();
      response.destroy();
    }
  }

  #startNext(): void {
    while (!this.#socket.destroyed) {
      const [first] = this.#pending;
      const next = this.#pending[this.#started];
      if (first === undefined || next === undefined) return;
      if (this.#started > 0 && !(isSafe(first) && isSafe(next))) return;
      this.#started += 1;
      next.start();
    }
  }

  #onResponded(queued: QueuedRequest): void {
    const at = this.#pending.indexOf(queued);
    if (at === -1) return;
    this.#pending.splice(at, 1);
    if (at < this.#started) this.#started -= 1;
    if (!queued.request.complete) this.#unfinished = queued.request;
    if (this.#isClosing && this.#pending.length === 0) return closeLingering(this.#socket);
    this.#startNext();
    if (this.#isHeld && this.#pending.length - this.#started < maxWaiting / 2) this.#release();
  }

  /** The client has sent all it wants to send, and waits for its responses. */
  #onEnd(): void {
    const newest = this.#pending.at(-1);
    if (this.#isClosing || newest === undefined) return;
    this.#isClosing = true;
    makeLast(newest.response);
  }

  #close(): void {
    this.#isClosing = true;
    if (this.#isHeld) this.#release();
    discardInput(this.#socket);
  }

  /** Not `pause` alone: Node resumes the socket for every request that it reads. */
  #hold(): void {
    this.#isHeld = true;
    this.#socket.pause();
    this.#socket.resume = () => this.#socket;
  }

  #release(): void {
    this.#isHeld = false;
    Reflect.deleteProperty(this.#socket, 'resume');
    this.#socket.resume();
  }
}

function isSafe({ request }: QueuedRequest): boolean {
  return safeMethods.has(request.method ?? '');
}

const queues = new WeakMap<Socket, RequestQueue>();

export function queueOf(socket: Socket): RequestQueue {
  const known = queues.get(socket);
  if (known !== undefined) return known;
  const queue = new RequestQueue(socket);
  queues.set(socket, queue);
  return queue;
}
