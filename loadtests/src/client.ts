type Answer = { status: number; text: string };

export type Client = {
  get<T>(path: string): Promise<T>;
  post<T>(path: string, body: unknown): Promise<T>;
  put<T>(path: string, body: unknown): Promise<T>;
};

const passing = new Set([409, 429, 503]);
const tries = 30;

/** Prepares a run: waits where it is told to, and fails on anything that is no success. */
export function createClient(baseUrl: string, token: string): Client {
  const once = async (method: string, path: string, body: unknown): Promise<Answer & { waitMs: number }> => {
    const lines = typeof body === 'string';
    const response = await fetch(baseUrl + path, {
      method,
      headers: {
        authorization: `Bearer ${token}`,
        ...(body === undefined
          ? {}
          : { 'content-type': lines ? 'application/x-ndjson' : 'application/json' }),
      },
      signal: AbortSignal.timeout(60_000),
      ...(body === undefined ? {} : { body: lines ? body : JSON.stringify(body) }),
    });
    const waitMs = 1_000 * Number(response.headers.get('retry-after') ?? 1);
    return { status: response.status, text: await response.text(), waitMs };
  };
  const call = async <T>(method: string, path: string, body?: unknown): Promise<T> => {
    for (let attempt = 1; ; attempt += 1) {
      const { status, text, waitMs } = await once(method, path, body);
      if (status < 300) return JSON.parse(text) as T;
      if (!passing.has(status) || attempt === tries) throw new Error(`${method} ${path}: ${status} ${text}`);
      await new Promise((resolve) => setTimeout(resolve, waitMs));
    }
  };
  return {
    get: (path) => call('GET', path),
    post: (path, body) => call('POST', path, body),
    put: (path, body) => call('PUT', path, body),
  };
}
