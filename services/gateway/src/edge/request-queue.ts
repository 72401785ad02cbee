import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { ApiError } from '@bv/contract';
import { closeLingering, discardInput, closeAfterResponse, refuseRaw } from './connection-close.ts';

export type QueuedRequest = {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly declaresBody: boolean;
  /** No request after this one is processed, because its end is uncertain. */
  readonly isLast: boolean;
  /** Called at most once, when no earlier request blocks it. */
  start(): void;
  /** Sends an error response for a request whose rest cannot be parsed. */
  refuse(error: ApiError): void;
};

const safeMethods = new Set(['GET', 'HEAD', 'OPTIONS', 'TRACE']);
/** At this number of waiting requests the socket is paused. */
const maxWaiting = 64;

/**
 * The requests of one connection without a response, in their order. Only safe requests run at the same time, an unsafe
 * one runs alone (RFC 9112, 9.3.2).
 */
export class RequestQueue {
  readonly #socket: Socket;
  readonly #pending: QueuedRequest[] = [];
  /** Number of started requests. They are the first ones of `#pending`. */
  #started = 0;
  #isHeld = false;
  #isClosing = false;
  #isDraining = false;
  /** A request that has its response while its body is still arriving. */
  #unfinished: IncomingMessage | undefined;

  constructor(socket: Socket) {
    this.#socket = socket;
    // The client sends no further request and waits for its responses.
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
    closeAfterResponse(newest.response);
  }

  /**
   * Called when the server stops. Started requests get their responses, waiting ones never start. If all started responses
   * have sent their heads, one more request starts, so that its head can carry `Connection: close`.
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

  /** Called on a parser error. Complete requests get their responses, then the connection closes. */
  fail(error: ApiError): void {
    const newest = this.#pending.at(-1);
    if (this.#isClosing && newest?.request.complete !== false) return discardInput(this.#socket);
    this.#isClosing = true;
    this.#discardRest();
    if (newest !== undefined) {
      closeAfterResponse(newest.response);
      if (!newest.request.complete) newest.refuse(error);
    } else if (this.#unfinished?.complete === false) closeLingering(this.#socket);
    else refuseRaw(this.#socket, error);
  }

  /** Called when the newest request does not arrive in time. It gets no response, earlier requests do. */
  expire(): void {
    const complete = this.#pending.filter(({ request }) => request.complete);
    const last = complete.at(-1);
    if (last === undefined) return void this.#socket.destroy();
    if (this.#isClosing) return;
    this.#pending.splice(complete.length);
    this.#started = Math.min(this.#started, complete.length);
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
    // The sending side is closed after the last response of a connection.
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

  /** Bodies of waiting requests stay in the socket. Otherwise a client without a key could fill the memory. */
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

  /** Replaces `resume` too, because Node resumes the socket for every request that it parses. */
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

export function getQueue(socket: Socket): RequestQueue {
  const existing = queues.get(socket);
  if (existing !== undefined) return existing;
  const queue = new RequestQueue(socket);
  queues.set(socket, queue);
  return queue;
}
