export type Client = {
  get<T>(path: string): Promise<T>;
  post<T>(path: string, body: unknown, idempotencyKey?: string): Promise<T>;
  put<T>(path: string, body: unknown): Promise<T>;
};

const retryableStatuses = new Set([409, 429, 503]);
const maxAttempts = 30;

/** Client that prepares a run: obeys `Retry-After`, and throws on every response other than a success. */
export function createClient(baseUrl: string, token: string): Client {
  const once = async (method: string, path: string, body: unknown, idempotencyKey?: string) => {
    const lines = typeof body === 'string';
    const response = await fetch(baseUrl + path, {
      method,
      headers: {
        authorization: `Bearer ${token}`,
        ...(body === undefined
          ? {}
          : { 'content-type': lines ? 'application/x-ndjson' : 'application/json' }),
        ...(idempotencyKey === undefined ? {} : { 'idempotency-key': idempotencyKey }),
      },
      signal: AbortSignal.timeout(60_000),
      ...(body === undefined ? {} : { body: lines ? body : JSON.stringify(body) }),
    });
    const waitMs = 1_000 * Number(response.headers.get('retry-after') ?? 1);
    return { status: response.status, text: await response.text(), waitMs };
  };
  const call = async <T>(method: string, path: string, body?: unknown, key?: string): Promise<T> => {
    for (let attempt = 1; ; attempt += 1) {
      const { status, text, waitMs } = await once(method, path, body, key);
      if (status < 300) return JSON.parse(text) as T;
      if (!retryableStatuses.has(status) || attempt === maxAttempts)
        throw new Error(`${method} ${path}: ${status} ${text}`);
      await new Promise((resolve) => setTimeout(resolve, waitMs));
    }
  };
  return {
    get: (path) => call('GET', path),
    post: (path, body, idempotencyKey) => call('POST', path, body, idempotencyKey),
    put: (path, body) => call('PUT', path, body),
  };
}
