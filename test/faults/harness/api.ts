import { waitUntil, type Stack } from '@bv/local-stack';
import pg from 'pg';
import { request, type ApiResponse, type CallOptions } from './client.ts';

/** A running product as a client, its operator and a checker of its tables reach it. */
export type Api = {
  call(method: string, path: string, options?: CallOptions): Promise<ApiResponse>;
  operate(method: string, path: string, body?: unknown): Promise<ApiResponse>;
  simulate(body: unknown): Promise<void>;
  /** Rows of a query as superuser, without proxy and pooler. */
  rows<Row>(text: string, values?: unknown[]): Promise<Row[]>;
  /** Waits until every service is ready. Returns false after the timeout. */
  healthy(timeoutMs?: number): Promise<boolean>;
};

const databaseName = 'brand_visibility';

/** `adminUrl` returns the address of the server that has the tables at the time of the call. */
export function createApi(stack: Stack, adminUrl: () => string): Api {
  const authorization = `Bearer ${stack.secrets.operatorToken}`;
  return {
    call: (method, path, options) => request(stack.baseUrl + path, method, options),
    operate: (method, path, body) =>
      request(stack.operatorUrl + path, method, { body, headers: { authorization } }),
    simulate: async (body) => {
      await request(`${stack.simulatorUrl}/control/trouble`, 'PUT', { body });
    },
    rows: (text, values) => readRows(adminUrl(), text, values),
    healthy: (timeoutMs = 30_000) => waitUntil(() => allReady(stack), { timeoutMs, intervalMs: 50 }),
  };
}

async function allReady({ plan }: Stack): Promise<boolean> {
  const responses = await Promise.all(
    plan.map(({ readyUrl }) =>
      fetch(readyUrl, { signal: AbortSignal.timeout(1_000) }).then(
        async (response) => {
          await response.body?.cancel();
          return response.ok;
        },
        () => false,
      ),
    ),
  );
  return responses.every(Boolean);
}

async function readRows<Row>(adminUrl: string, text: string, values: unknown[] = []): Promise<Row[]> {
  const url = new URL(adminUrl);
  url.pathname = `/${databaseName}`;
  const client = new pg.Client({ connectionString: url.href });
  client.on('error', () => undefined);
  await client.connect();
  try {
    return (await client.query(text, values)).rows as Row[];
  } finally {
    await client.end();
  }
}
