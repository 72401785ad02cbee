import { startFullStack, type FullStack } from '@bv/testkit';

type ApiResponse = {
  status: number;
  headers: Headers;
  // oxlint-disable-next-line typescript/no-explicit-any -- tests look into bodies of every shape
  body: any;
};

export type System = FullStack & {
  /** A call of the public API with a key; `null` sends no credentials. */
  call(method: string, path: string, options?: CallOptions): Promise<ApiResponse>;
  operate(method: string, path: string, body?: unknown): Promise<ApiResponse>;
  simulate(path: string, body: unknown): Promise<void>;
  /** Kills the process of a service with SIGKILL. The stack restarts it. */
  kill(service: string): void;
};

type CallOptions = { key?: string; body?: unknown; headers?: Record<string, string> };

async function request(url: string, init: RequestInit): Promise<ApiResponse> {
  const response = await fetch(url, { ...init, signal: AbortSignal.timeout(30_000) });
  const text = await response.text();
  return {
    status: response.status,
    headers: response.headers,
    body: text === '' ? undefined : JSON.parse(text),
  };
}

const toBody = (body: unknown): RequestInit => {
  if (body === undefined) return {};
  return { body: typeof body === 'string' ? body : JSON.stringify(body) };
};

export async function startSystem(settings: Record<string, string> = {}): Promise<System> {
  const wholeStack = await startFullStack(settings);
  const { stack } = wholeStack;
  return {
    ...wholeStack,
    call: (method, path, { key, body, headers } = {}) =>
      request(stack.baseUrl + path, {
        method,
        headers: {
          ...(key === undefined ? {} : { authorization: `Bearer ${key}` }),
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
          ...headers,
        },
        ...toBody(body),
      }),
    operate: (method, path, body) =>
      request(stack.operatorUrl + path, {
        method,
        headers: {
          authorization: `Bearer ${stack.secrets.operatorToken}`,
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        },
        ...toBody(body),
      }),
    simulate: async (path, body) => {
      await request(stack.simulatorUrl + path, {
        method: 'PUT',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(body),
      });
    },
    kill: (service) => {
      const pid = stack.services.get(service)?.pid();
      if (pid === undefined) throw new Error(`${service} does not run`);
      process.kill(pid, 'SIGKILL');
    },
  };
}

type ImportedUnit = { brandId: string; promptId: string; daysAgo: number; answerText?: string };

/** A line of an import: an answer that mentions the brand at position 1. */
export const importLine = ({ brandId, promptId, daysAgo, answerText }: ImportedUnit): string =>
  JSON.stringify({
    brand_id: brandId,
    prompt_id: promptId,
    platform: 'chatgpt',
    country: 'US',
    run_date: new Date(Date.now() - daysAgo * 86_400_000).toISOString().slice(0, 10),
    outcome: 'answered',
    answer_text: answerText,
    brands: [{ brand_id: brandId, position: 1, sentiment: 70 }],
    sources: [],
  });
