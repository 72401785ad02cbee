import type { IncomingMessage } from 'node:http';
import { ApiError } from '@bv/contract';
import { BodyBuffer } from './body-buffer.ts';

/** The client disconnected before its body was complete: no response is possible. */
export class ClientGoneError extends Error {
  override readonly name = 'ClientGoneError';
}

/**
 * Collects a body from the arrival of its request on, even before it is read. Node would keep the pieces in a list, which
 * costs hundreds of bytes for each.
 */
export class IncomingBody {
  readonly #request: IncomingMessage;
  readonly #pieces: BodyBuffer;
  #outcome: Buffer | Error | undefined;
  #reader: ((outcome: Buffer | Error) => void) | undefined;

  constructor(request: IncomingMessage, maxBytes: number) {
    this.#request = request;
    this.#pieces = new BodyBuffer(maxBytes);
    const gone = (): void =>
      this.#settle(new ClientGoneError('the client disconnected before the end of its body'));
    request.on('data', this.#onData);
    request.once('end', () => this.#settle(this.#pieces.toBuffer()));
    request.once('error', gone);
    request.once('close', gone);
  }

  /** The whole body. Rejects with `payload_too_large`, or when the client disconnects. Called at most once. */
  read(): Promise<Buffer> {
    return new Promise((resolve, reject) => {
      this.#reader = (outcome) => (outcome instanceof Error ? reject(outcome) : resolve(outcome));
      if (this.#outcome !== undefined) this.#reader(this.#outcome);
    });
  }

  /** Releases the collected bytes. The rest is received and dropped, so that the connection can be reused. */
  discard(): void {
    this.#request.off('data', this.#onData).resume();
    this.#pieces.clear();
    const discarded = new ClientGoneError('the body was discarded');
    this.#settle(discarded);
    // Replaces a complete body too.
    this.#outcome = discarded;
  }

  readonly #onData = (piece: Buffer): void => {
    // The rest of a body that is too large is dropped, so that the client can read the refusal.
    if (this.#outcome !== undefined || this.#pieces.append(piece)) return;
    this.#settle(new ApiError('payload_too_large'));
  };

  #settle(outcome: Buffer | Error): void {
    if (this.#outcome !== undefined) return;
    this.#outcome = outcome;
    this.#reader?.(outcome);
  }
}
