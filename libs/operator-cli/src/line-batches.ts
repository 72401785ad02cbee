const lineFeed = 0x0a;

/**
 * Cuts a stream into batches of whole lines without collecting them, so that memory does not depend on the length of
 * lines, chunks or batches.
 */
export class LineBatches {
  readonly #source: AsyncIterator<Uint8Array>;
  #rest: Buffer = Buffer.alloc(0);
  #isInLine = false;
  /** Whole lines and bytes given out so far. */
  lines = 0;
  bytes = 0;

  constructor(source: AsyncIterable<Uint8Array>) {
    this.#source = source[Symbol.asyncIterator]();
  }

  async hasMore(): Promise<boolean> {
    while (this.#rest.length === 0) {
      const { done, value } = await this.#source.next();
      if (done === true) {
        // The last line may end without a line feed.
        if (this.#isInLine) this.lines += 1;
        this.#isInLine = false;
        return false;
      }
      this.#rest = Buffer.from(value.buffer, value.byteOffset, value.byteLength);
    }
    return true;
  }

  /** The next batch: it ends with the line in which it reaches its size, or with the stream. */
  async *next(size: number): AsyncGenerator<Buffer> {
    let sent = 0;
    while (await this.hasMore()) {
      const chunk = this.#rest;
      const missing = Math.max(size - sent, 1);
      const end = chunk.length < missing ? -1 : chunk.indexOf(lineFeed, missing - 1);
      const piece = end < 0 ? chunk : chunk.subarray(0, end + 1);
      this.#rest = chunk.subarray(piece.length);
      sent += piece.length;
      this.bytes += piece.length;
      this.lines += lineFeedsOf(piece);
      this.#isInLine = piece.at(-1) !== lineFeed;
      yield piece;
      if (end >= 0) return;
    }
  }
}

function lineFeedsOf(piece: Buffer): number {
  let count = 0;
  for (let at = piece.indexOf(lineFeed); at >= 0; at = piece.indexOf(lineFeed, at + 1)) count += 1;
  return count;
}
