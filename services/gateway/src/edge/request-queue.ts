import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { ApiError } from '@bv/contract';
import { closeLingering, discardInput, makeLast, refuseRaw } from './connection-close.ts';

export type QueuedRequest = {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly declaresBody: boolean;
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
  #isDraining = false;
  /** A request with a response whose body is still arriving. */
  #unfinished: IncomingMessage | undefined;

  constructor(socket: Socket) {
    this.#socket = socket;
    // The client has sent all it wants to send, and waits for its responses.
    socket.once('end', () => this.close());
  }

  add(queued: QueuedRequest): void {
    if (this.#isClosing) return discardInput(this.#socket);
    this.#unfinished = undefined;
    this.#pending.push(queued);
    queued.response.once('close', () => this.#onResponded(queued));
    if (queued.isLast || this.#isDraining) this.close();
    this.#startNext();
    if (!this.#isHeld && this.#mustHold(queued)) this.#hold();
  }

  /** No request after the newest one is processed. */
  close(): void {
    const newest = this.#pending.at(-1);
    if (this.#isClosing || newest === undefined) return;
    this.#isClosing = true;
    makeLast(newest.response);
  }

  /**
   * The server stops. Started requests get their responses; waiting ones never start. Only where no head of a started
   * one can say that the connection closes, one more request starts, and its head says so.
   */
  drain(): void {
    this.#isDraining = true;
    if (this.#isClosing) return;
    const newestStarted = this.#pending[this.#started - 1];
    if (newestStarted === undefined) return;
    const kept = newestStarted.response.headersSent ? this.#started + 1 : this.#started;
    if (kept > this.#pending.length) return;
    const dropped = this.#pending.splice(kept);
    this.close();
    if (dropped.length > 0) this.#discardRest();
  }

  /** The parser cannot read on. Requests that arrived whole get their responses, then the connection closes. */
  fail(error: ApiError): void {
    const newest = this.#pending.at(-1);
    if (this.#isClosing && newest?.request.complete !== false) return discardInput(this.#socket);
    this.#isClosing = true;
    this.#discardRest();
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
    this.close();
    this.#discardRest();
  }

  /** For a socket that Node has detached from its server. */
  abort(): void {
    for (const { request, response } of this.#pending) {
      request.destroy();
      response.destroy();
    }
  }

  #startNext(): void {
    // After the last response of a connection its sending side is closed.
    while (this.#socket.writable) {
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
    if (this.#isHeld && this.#mayRelease()) this.#release();
  }

  /** The body of a request that waits stays in the socket: a client without a key can send any number of them. */
  #mustHold(newest: QueuedRequest): boolean {
    const waiting = this.#pending.length - this.#started;
    return waiting >= maxWaiting || (waiting > 0 && newest.declaresBody);
  }

  #mayRelease(): boolean {
    const waiting = this.#pending.length - this.#started;
    return waiting < maxWaiting / 2 && !this.#pending.slice(this.#started).some((each) => each.declaresBody);
  }

  #discardRest(): void {
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
