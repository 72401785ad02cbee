import { createServer } from 'node:http';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Registry } from 'prom-client';

export type MonitoringOptions = {
  /** 0 picks a free port. */
  port: number;
  host?: string;
  registry: Registry;
  ready: () => boolean | Promise<boolean>;
};

export type Monitoring = { port: number; close(): Promise<void> };

const readyTimeoutMs = 2_000;

/** Serves probes and metrics on a separate port, so that they respond when the service port is full or draining. */
export async function startMonitoring(options: MonitoringOptions): Promise<Monitoring> {
  let started = false;
  const isReady = async () => {
    const ready = await checkReady(options.ready);
    started ||= ready;
    return ready;
  };
  const probes: Record<string, (response: ServerResponse) => Promise<void>> = {
    '/livez': async (response) => sendProbe(response, true),
    '/readyz': async (response) => sendProbe(response, await isReady()),
    // Stays 200 after the start: a drain must not look like a start that never ended.
    '/startupz': async (response) => sendProbe(response, started || (await isReady())),
    '/metrics': (response) => sendMetrics(response, options.registry),
  };
  const server = createServer((request, response) => {
    const probe = probes[getPath(request)];
    if (!probe) return send(response, 404, 'text/plain', 'not found\n');
    probe(response).catch(() => send(response, 500, 'text/plain', 'failed\n'));
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(options.port, options.host ?? '0.0.0.0', resolve);
  });
  return {
    port: (server.address() as AddressInfo).port,
    close: () =>
      new Promise<void>((resolve, reject) => {
        server.close((error) => (error ? reject(error) : resolve()));
        server.closeAllConnections();
      }),
  };
}

/** Returns false if the ready function throws or does not settle within 2 s. */
async function checkReady(ready: MonitoringOptions['ready']): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const deadline = new Promise<boolean>((resolve) => {
    timer = setTimeout(resolve, readyTimeoutMs, false);
  });
  try {
    return await Promise.race([Promise.resolve().then(ready), deadline]);
  } catch {
    return false;
  } finally {
    clearTimeout(timer);
  }
}

async function sendMetrics(response: ServerResponse, registry: Registry): Promise<void> {
  send(response, 200, registry.contentType, await registry.metrics());
}

function sendProbe(response: ServerResponse, ok: boolean): void {
  send(response, ok ? 200 : 503, 'text/plain', ok ? 'ok\n' : 'not ready\n');
}

function send(response: ServerResponse, status: number, contentType: string, body: string): void {
  response.writeHead(status, { 'content-type': contentType, 'cache-control': 'no-store' }).end(body);
}

function getPath(request: IncomingMessage): string {
  return (request.url ?? '/').split('?', 1)[0] ?? '/';
}
