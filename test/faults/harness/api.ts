import { waitUntil, type Stack } from '@bv/local-stack';
import pg from 'pg';
import { type Api, request } from './client.ts';

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
