const firstCapacityBytes = 4_096;
const empty = Buffer.alloc(0);

/**
 * Collects a body of at most `maxBytes` in one buffer. A list of its pieces would cost about 500 bytes for each. A body in
 * 1-byte chunks would take hundreds of times its own size.
 */
export class BodyBuffer {
  readonly #maxBytes: number;
  #bytes: Buffer = empty;
  #length = 0;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  /** Bytes collected so far. */
  get length(): number {
    return this.#length;
  }

  /** False when the body exceeds `maxBytes`: the piece is not kept, and what was collected is released. */
  append(piece: Buffer): boolean {
    const length = this.#length + piece.length;
    if (length > this.#maxBytes) {
      this.clear();
      return false;
    }
    // Most bodies are one piece, which needs no copy.
    if (this.#length === 0) this.#bytes = piece;
    else {
      if (length > this.#bytes.length) this.#grow(length);
      piece.copy(this.#bytes, this.#length);
    }
    this.#length = length;
    return true;
  }

  /** The whole body, without a copy. */
  toBuffer(): Buffer {
    return this.#bytes.subarray(0, this.#length);
  }

  /** Releases what was collected. */
  clear(): void {
    this.#bytes = empty;
    this.#length = 0;
  }

  #grow(length: number): void {
    const doubled = Math.min(Math.max(this.#bytes.length * 2, firstCapacityBytes), this.#maxBytes);
    const grown = Buffer.allocUnsafe(Math.max(length, doubled));
    this.#bytes.copy(grown, 0, 0, this.#length);
    this.#bytes = grown;
  }
}
