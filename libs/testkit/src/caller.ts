import { randomUUID } from 'node:crypto';
import { callerHeader, signCaller, type Caller } from '@bv/http';

/** What services under test are configured with and test callers are signed with. */
export const testCallerSecret = 'test-caller-secret';

/** An organisation key with every scope, valid for a minute. */
export function testCaller(overrides: Partial<Caller> = {}): Caller {
  const orgId = overrides.orgId === undefined ? randomUUID() : overrides.orgId;
  return {
    requestId: randomUUID(),
    keyId: randomUUID(),
    keyPrefix: 'bvk_live_tes',
    owner: { kind: 'organisation', id: orgId ?? randomUUID() },
    link: { scope: 'owner', externalRef: null },
    scopes: ['read', 'write'],
    operation: 'test',
    operationId: null,
    expiresAt: Date.now() + 60_000,
    ...overrides,
    orgId,
  };
}

export type ServiceCall = {
  method?: string;
  /** With its prefix: `/v1/...` or `/operator/v1/...`. */
  path: string;
  /** `null` sends no caller header. */
  caller?: Caller | null;
  /** Sent as JSON; a string or bytes go as they are. */
  body?: unknown;
  headers?: Record<string, string>;
};

export type ServiceAnswer<T> = { status: number; headers: Headers; body: T };

/** Calls a service as the gateway would. `T` is what the test expects the body to be. */
// oxlint-disable-next-line typescript/no-explicit-any -- tests look into bodies of every shape
export async function callService<T = any>(baseUrl: string, call: ServiceCall): Promise<ServiceAnswer<T>> {
  const { method = 'GET', path, caller = testCaller(), body, headers = {} } = call;
  const response = await fetch(new URL(path, baseUrl), {
    method,
    headers: {
      ...(caller === null ? {} : { [callerHeader]: signCaller(caller, testCallerSecret) }),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body === undefined ? {} : { body: encodeBody(body), duplex: 'half' }),
    signal: AbortSignal.timeout(120_000),
  });
  const text = await response.text();
  return { status: response.status, headers: response.headers, body: parseBody(text) as T };
}

/** A stream goes as it comes. */
function encodeBody(body: unknown): string | Uint8Array<ArrayBuffer> | ReadableStream {
  if (typeof body === 'string' || body instanceof ReadableStream) return body;
  return body instanceof Uint8Array ? new Uint8Array(body) : JSON.stringify(body);
}

function parseBody(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/**
 * Sends what is refused as unavailable again, as a client would: of many that wait for one lock each may wait three
 * seconds for a connection, which is short where others hold the machine.
 */
export async function answered<A extends { status: number }>(send: () => Promise<A>): Promise<A> {
  let answer = await send();
  for (let again = 0; again < 5 && answer.status === 503; again += 1) answer = await send();
  return answer;
}
