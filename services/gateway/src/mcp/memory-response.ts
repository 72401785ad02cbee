import type { OutgoingHttpHeaders } from 'node:http';
import { Writable } from 'node:stream';
import { BodyBuffer } from '@bv/http';

/** More than any page of the API. */
const maxBytes = 16 * 1_024 * 1_024;

/** The response to an operation that a tool calls in this process, kept in memory. */
export class MemoryResponse extends Writable {
  statusCode = 200;
  headersSent = false;
  headers: OutgoingHttpHeaders = {};
  readonly #body = new BodyBuffer(maxBytes);

  writeHead(status: number, headers: OutgoingHttpHeaders): void {
    this.statusCode = status;
    this.headers = headers;
    this.headersSent = true;
  }

  /** A tool never waits for `100 Continue`. */
  writeContinue(): void {}

  override _write(chunk: Buffer, _encoding: BufferEncoding, done: (error?: Error) => void): void {
    done(this.#body.append(chunk) ? undefined : new Error('the response is too large'));
  }

  readJson(): unknown {
    return JSON.parse(this.#body.toBuffer().toString());
  }
}
