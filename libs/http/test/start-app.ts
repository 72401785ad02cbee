import { randomUUID } from 'node:crypto';
import { createLogger, createMetrics } from '@bv/telemetry';
import type { Metrics } from '@bv/telemetry';
import { callerHeader, createServiceApp, listen, signCaller } from '@bv/http';
import type { Caller, Route, ServiceAppOptions } from '@bv/http';

const secret = 'a-secret-of-the-tests';

export function createCaller(overrides: Partial<Caller> = {}): Caller {
  return {
    requestId: randomUUID(),
    keyId: randomUUID(),
    keyPrefix: 'bvk_live_Ab1',
    owner: { kind: 'organisation', id: randomUUID() },
    orgId: randomUUID(),
    link: { scope: 'owner', externalRef: null },
    scopes: ['read', 'write'],
    operation: 'test',
    operationId: null,
    expiresAt: Date.now() + 30_000,
    ...overrides,
  };
}

export const operator = (): Caller =>
  createCaller({ owner: { kind: 'operator', id: 'operator' }, orgId: null, link: null });

type CallOptions = {
  method?: string;
  caller?: Caller | null;
  headers?: Record<string, string>;
  body?: string | Buffer;
};

type Answer = { status: number; headers: Headers; text: string; json: unknown };
type TestApp = {
  url: string;
  call(path: string, options?: CallOptions): Promise<Answer>;
  lines: Record<string, unknown>[];
  metrics: Metrics;
  close(): Promise<void>;
};

/** The service app on a free port, its log lines as objects, and a client that signs its calls. */
export async function startApp(
  routes: readonly Route[],
  options: Partial<ServiceAppOptions> = {},
): Promise<TestApp> {
  const lines: Record<string, unknown>[] = [];
  const log = createLogger({
    service: 'catalog',
    level: 'info',
    destination: { write: (line) => void lines.push(JSON.parse(line) as Record<string, unknown>) },
  });
  const metrics = createMetrics('catalog');
  const callerSecrets = [secret];
  const app = createServiceApp({
    service: 'catalog',
    routes,
    callerSecrets,
    log,
    metrics,
    checkResponses: true,
    ...options,
  });
  const listening = await listen(app, { port: 0 });
  const url = `http://127.0.0.1:${listening.port}`;

  async function call(
    path: string,
    { caller = createCaller(), headers = {}, ...init }: CallOptions = {},
  ): Promise<Answer> {
    const signed = caller ? { [callerHeader]: signCaller(caller, secret) } : {};
    const response = await fetch(url + path, { ...init, headers: { ...signed, ...headers } });
    const text = await response.text();
    return {
      status: response.status,
      headers: response.headers,
      text,
      json: text ? (JSON.parse(text) as unknown) : null,
    };
  }

  return { url, call, lines, metrics, close: () => listening.close() };
}

export const asJson = (value: unknown): { headers: Record<string, string>; body: string } => ({
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify(value),
});
