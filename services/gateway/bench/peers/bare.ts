import { createServer, type ServerResponse } from 'node:http';
import { Pool, type Dispatcher } from 'undici';
import { port, upstream } from './settings.ts';

/** The baseline: what Node costs as a proxy that looks at nothing. */
const pool = new Pool(upstream, { connections: 128, pipelining: 1 });

class Pass implements Dispatcher.DispatchHandler {
  readonly #response: ServerResponse;

  constructor(response: ServerResponse) {
    this.#response = response;
  }

  // undici knows a handler of this kind by it.
  onRequestStart(): void {}

  onResponseStart(
    _controller: Dispatcher.DispatchController,
    status: number,
    headers: Record<string, string | string[] | undefined>,
  ): void {
    const named = (name: string): string => String(headers[name]);
    this.#response.writeHead(status, {
      'content-type': named('content-type'),
      'content-length': named('content-length'),
    });
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Buffer): void {
    // A client that has left drains nothing any more.
    if (this.#response.write(chunk) || this.#response.destroyed) return;
    controller.pause();
    this.#response.once('drain', () => controller.resume()).once('close', () => controller.resume());
  }

  onResponseEnd(): void {
    this.#response.end();
  }

  onResponseError(): void {
    this.#response.destroy();
  }
}

createServer((request, response) => {
  pool.dispatch({ method: 'GET', path: request.url ?? '/' }, new Pass(response));
}).listen(port, '127.0.0.1');
